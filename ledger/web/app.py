"""The factory of the Flask application."""

from collections.abc import Callable
from datetime import timedelta
from functools import lru_cache, partial
from typing import Any

from flask import Flask
from markupsafe import Markup
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter, UUIDConverter

from ledger.language import speaker as speaker_of
from ledger.resources import folder
from ledger.web import api, pages
from ledger.web.api import health
from ledger.web.api.answers import plain
from ledger.web.heavy_work import set_heavy_work
from ledger.web.live import set_live
from ledger.web.logs import LOG, observe, request_id
from ledger.web.observability.metrics import Metrics, add_metrics_app
from ledger.web.observability.periodic_audit import set_auditor
from ledger.web.observability.recent import Recent
from ledger.web.preferences import language, speaker
from ledger.web.problems import answer_problems
from ledger.web.reading import release
from ledger.web.recorder import Settings, hold_recorder
from ledger.web.security import check_hosts, compress_answer, refuse_other_sites, set_headers, set_limits


class NightConverter(BaseConverter):
    """URL converter for the id of a night; its letters become lower case."""

    regex = UUIDConverter.regex

    def to_python(self, value: str) -> str:
        return value.lower()


class _Application(Flask):
    """An application whose functions are called as they are, since none is asynchronous, and that logs exceptions
    with the id of their request."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func

    def log_exception(self, exc_info: Any) -> None:
        LOG.error("failed", exc_info=exc_info, extra={"id": request_id()})


def create_app(settings: Settings | None = None) -> Flask:
    """Create the application, with the settings of the environment if none are given.

    No database connection is opened before the first request, so that a server may fork.
    """
    settings = settings or Settings.find()
    app = _Application("ledger.web", static_folder=None, template_folder=folder("templates"))
    app.url_map.converters["night"] = NightConverter
    # The addresses of scripts and styles contain a digest.
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = timedelta(days=365)
    app.json.default = plain  # type: ignore[attr-defined]
    metrics = Metrics() if settings.metrics_port else None
    recent = app.extensions[Recent.__name__] = Recent()
    observe(app, settings.proxies, recent.served, *([metrics.served] if metrics else []))
    hold_recorder(app, settings)
    app.teardown_request(release)
    check_hosts(app, settings.hosts)
    if settings.proxies:
        trusted = ProxyFix(app.wsgi_app, settings.proxies, settings.proxies, settings.proxies)
        app.wsgi_app = trusted  # type: ignore[method-assign]
    _translate_templates(app)
    answer_problems(app)
    app.after_request(compress_answer)
    app.before_request(refuse_other_sites)  # before they are counted: the rate is that of a whole household
    set_limits(app, settings)
    set_heavy_work(app)
    set_live(app, settings.streams, metrics.streams if metrics else None)
    app.register_blueprint(health.blueprint)
    app.register_blueprint(pages.pages)
    app.register_blueprint(api.blueprint)
    if settings.audit_hours:
        set_auditor(app, settings.audit_hours, metrics.audited if metrics else None)
    if settings.metrics_port and metrics:
        add_metrics_app(app, settings.metrics_port, metrics)
    set_headers(app)
    return app


def _translate_templates(app: Flask) -> None:
    """Make templates translate to the language of the request."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: speaker().gettext(text),
        lambda one, many, count: speaker().ngettext(one, many, count),
        newstyle=True,
    )
    # Faster than Jinja's own `_`, which looks `gettext` up in the context for each text; on a page, the language is
    # looked up once.
    app.jinja_env.globals["_"] = lambda text, **values: _translated(language(), text, **values)
    app.context_processor(lambda: {"_": partial(_translated, language())})


def _translated(language: str, text: str, **values: object) -> Markup:
    """Translate a text of a template; `values` are escaped."""
    if not values:
        return _plainly_translated(language, text)
    return Markup(speaker_of(language).gettext(text)) % values


@lru_cache(maxsize=512)
def _plainly_translated(language: str, text: str) -> Markup:
    """Translate a text without values. Cached: a page has some fifty."""
    return Markup(speaker_of(language).gettext(text)) % {}
