"""The HTTP routes: one table of them, from which requests are answered and the OpenAPI page is written."""

from __future__ import annotations

from elysian.server.edge import accounts, groups, past, site, tables

ROUTES = (*accounts.ROUTES, *groups.ROUTES, *tables.ROUTES, *past.ROUTES, *site.ROUTES)
