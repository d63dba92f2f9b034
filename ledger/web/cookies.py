"""Cookies with `HttpOnly` and `SameSite=Lax`, and `Secure` if the request came over HTTPS."""

from flask import Response, request


def put(response: Response, name: str, value: str, seconds: int) -> None:
    """Set a cookie with its lifetime."""
    response.set_cookie(name, value, max_age=seconds, secure=request.is_secure, httponly=True, samesite="Lax")


def drop(response: Response, name: str) -> None:
    """Delete a cookie."""
    response.delete_cookie(name, secure=request.is_secure, httponly=True, samesite="Lax")
