// `node journey.mjs CLIENT URL SLOW_URL`: what an A2A client of npm sees, as JSON in the words of 1.0.
// CLIENT is `1.0`, `1.0 as 0.3` (the new package on the old wire) or `0.3` (the old package).
import { randomUUID } from "node:crypto";

const [kind, url, slowUrl] = process.argv.slice(2);
const WEBHOOK = "https://8.8.8.8/hook";

// The new package has objects of protobuf; their JSON is that of the wire.
async function newClient(url, old) {
  const a2a = await import("a2a");
  const { ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver, JsonRpcTransportFactory } =
    await import("a2a/client");
  const legacyCompat = { enabled: old };
  // The card as a client of 0.3 fetches and reads it.
  const fetchOld = async (address) => {
    const { supportedInterfaces, ...card } = await (await fetch(address)).json();
    return Response.json(card);
  };
  const client = await new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ legacyCompat })],
      cardResolver: new DefaultAgentCardResolver({ legacyCompat, ...(old && { fetchImpl: fetchOld }) }),
    }),
  ).createFromUrl(url);
  const request = (text, ids = {}, configuration = {}) =>
    a2a.SendMessageRequest.fromJSON({
      message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...ids },
      configuration,
    });
  const task = (found) => a2a.Task.toJSON(found);
  return {
    version: client.protocolVersion,
    send: async (text, ids) => task(await client.sendMessage(request(text, ids))),
    start: async (text) =>
      task(await client.sendMessage(request(text, {}, { returnImmediately: true }))),
    stream: (text) => events(client.sendMessageStream(request(text)), a2a.StreamResponse.toJSON),
    follow: (id) =>
      events(client.resubscribeTask(a2a.SubscribeToTaskRequest.fromJSON({ id })), a2a.StreamResponse.toJSON),
    get: async (id) => task(await client.getTask(a2a.GetTaskRequest.fromJSON({ id }))),
    cancel: async (id) => task(await client.cancelTask(a2a.CancelTaskRequest.fromJSON({ id }))),
    setPush: async (taskId) => {
      const config = a2a.TaskPushNotificationConfig.fromJSON({ taskId, id: "c", url: WEBHOOK });
      return (await client.createTaskPushNotificationConfig(config)).url;
    },
    getPush: async (taskId) => {
      const named = a2a.GetTaskPushNotificationConfigRequest.fromJSON({ taskId, id: "c" });
      return (await client.getTaskPushNotificationConfig(named)).url;
    },
    listPush: async (taskId) => {
      const asked = a2a.ListTaskPushNotificationConfigsRequest.fromJSON({ taskId });
      return (await client.listTaskPushNotificationConfig(asked)).configs.map((c) => c.url);
    },
    deletePush: (taskId) =>
      client.deleteTaskPushNotificationConfig(
        a2a.DeleteTaskPushNotificationConfigRequest.fromJSON({ taskId, id: "c" }),
      ),
  };
}

async function oldClient(url) {
  const { ClientFactory } = await import("a2a-0.3/client");
  const client = await new ClientFactory().createFromUrl(url);
  const params = (text, ids = {}, configuration = {}) => ({
    message: {
      kind: "message",
      messageId: randomUUID(),
      role: "user",
      parts: [{ kind: "text", text }],
      ...ids,
    },
    configuration,
  });
  const named = (id) => ({ id, pushNotificationConfigId: "c" });
  return {
    version: (await (await fetch(`${url}/.well-known/agent-card.json`)).json()).protocolVersion,
    send: async (text, ids) => modern(await client.sendMessage(params(text, ids))),
    start: async (text) => modern(await client.sendMessage(params(text, {}, { blocking: false }))),
    stream: (text) => events(client.sendMessageStream(params(text)), modernEvent),
    follow: (id) => events(client.resubscribeTask({ id }), modernEvent),
    get: async (id) => modern(await client.getTask({ id })),
    cancel: async (id) => modern(await client.cancelTask({ id })),
    setPush: async (taskId) => {
      const pushNotificationConfig = { id: "c", url: WEBHOOK };
      const set = await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig });
      return set.pushNotificationConfig.url;
    },
    getPush: async (id) =>
      (await client.getTaskPushNotificationConfig(named(id))).pushNotificationConfig.url,
    listPush: async (id) =>
      (await client.listTaskPushNotificationConfig({ id })).map((c) => c.pushNotificationConfig.url),
    deletePush: (id) => client.deleteTaskPushNotificationConfig(named(id)),
  };
}

// A task of 0.3 as far as the journey looks at it.
function modern({ id, contextId, status, artifacts = [] }) {
  const state = `TASK_STATE_${status.state.toUpperCase().replace("-", "_")}`;
  return { id, contextId, status: { ...status, state }, artifacts };
}

function modernEvent(event) {
  if (event.kind === "task") return { task: modern(event) };
  if (event.kind === "artifact-update") return { artifactUpdate: event };
  return { statusUpdate: modern({ ...event, id: event.taskId }), final: event.final };
}

async function* events(stream, read) {
  for await (const event of stream) yield read(event);
}

async function all(stream) {
  const seen = [];
  for await (const event of stream) seen.push(event);
  return seen;
}

async function errorOf(call) {
  try {
    await call;
    return "no error";
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

// What a reader of a task looks at; the parts tell their media type in the metadata, in both dialects.
function plain(task) {
  const parts = task.status.message?.parts ?? [];
  return {
    id: task.id,
    context: task.contextId,
    state: task.status.state,
    text: parts.find((part) => part.text)?.text,
    data: Object.fromEntries(
      parts.filter((part) => part.data).map((part) => [part.metadata.mediaType, part.data]),
    ),
    artifacts: (task.artifacts ?? []).map((artifact) => artifact.name),
  };
}

async function cancelled(client) {
  const { id } = await client.start("wait a while");
  const done = plain(await client.cancel(id));
  return { ...done, "read again": (await client.get(id)).status.state };
}

async function followed(client) {
  const { id } = await client.start("wait a while");
  const following = client.follow(id);
  const first = (await following.next()).value;
  await client.cancel(id);
  return { first: Object.keys(first)[0], last: stateOf((await all(following)).at(-1)) };
}

function stateOf(event) {
  return (event.statusUpdate ?? event.task).status.state;
}

const connect = (url) => (kind === "0.3" ? oldClient(url) : newClient(url, kind !== "1.0"));
const client = await connect(url);
const slow = await connect(slowUrl);
const answered = await client.send("How heavy are Gentoo penguins?");
const asked = await client.send("How heavy are they?");
const streamed = await all(client.stream("How heavy are Gentoo penguins?"));
const pushed = (await client.send("How heavy are they?")).id;
console.log(
  JSON.stringify({
    version: client.version,
    answered: plain(answered),
    "read again": plain(await client.get(answered.id)),
    streamed: {
      kinds: streamed.map((event) => Object.keys(event)[0]),
      last: stateOf(streamed.at(-1)),
    },
    "asked back": plain(asked),
    "followed up": plain(await client.send("Gentoo", { taskId: asked.id, contextId: asked.contextId })),
    cancelled: await cancelled(slow),
    followed: await followed(slow),
    push: {
      set: await client.setPush(pushed),
      found: await client.getPush(pushed),
      listed: await client.listPush(pushed),
      deleted: (await client.deletePush(pushed)) ?? null,
      "found then": await errorOf(client.getPush(pushed)),
    },
    "unknown task": await errorOf(client.get("none")),
    "unknown task, streamed": await errorOf(all(client.follow("none"))),
    "cancelled too late": await errorOf(client.cancel(answered.id)),
  }),
);
