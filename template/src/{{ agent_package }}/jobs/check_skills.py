"""Do all skills still answer their own examples?"""

from ..contracts.job import Job, JobContext


async def check_skills(context: JobContext) -> str:
    """Call every skill by every example; a skill that refuses its own example raises."""
    count = 0
    for name, skill in context.skills.items():
        for example in skill.examples:
            reply = await context.call(name, example.args)
            if reply.kind != "answer":
                raise RuntimeError(f"{name} does not answer its example {example.question!r}")
            count += 1
    return f"{count} examples of {len(context.skills)} skills answered"


JOB = Job(function=check_skills, schedule="0 6 * * *")
