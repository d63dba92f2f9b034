"""Cookies: out of reach of scripts, and of other sites' requests; over HTTPS alone where we are asked over it."""

from flask import Response, request


def keep(response: Response, name: str, value: str, seconds: int) -> None:
    """Let the browser keep a cookie for so long."""
    response.set_cookie(name, value, max_age=seconds, secure=request.is_secure, httponly=True, samesite="Lax")


def drop(response: Response, name: str) -> None:
    """Let the browser forget a cookie."""
    response.delete_cookie(name, secure=request.is_secure, httponly=True, samesite="Lax")
