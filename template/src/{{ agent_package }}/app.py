"""Joins the parts to one ASGI app; the one file that knows them all."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from .agent.services import Services
from .auth.gate import Entry, Gate
from .identity import IDENTITY
from .persistence.chat_log import ChatLog
