"""WebKitGTK's widget in windows on a screen of its own: a program for Debian's Python, which has `gi`.

It answers one connection on the port that it is given: a line of JSON each way, a request `[name, arguments...]`
and its answer, or `{"error": ...}`.
"""

import ctypes
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Any

SCREEN = (1000, 1000)
AT_SPI = ("/usr/share/defaults/at-spi2/accessibility.conf", "/usr/libexec/at-spi2-registryd")
"""The settings of the bus that assistive technology listens on, and the program that keeps its list."""
PATIENCE = 10
"""The seconds that a page has for an answer."""


def start_screen() -> None:
    """Start Xvfb, which chooses its number, and ends with this program's session."""
    reading, writing = os.pipe()
    size = f"{SCREEN[0]}x{SCREEN[1]}x24"
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"]
    subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading, encoding="ascii") as number:
        os.environ |= {"DISPLAY": f":{number.readline().strip()}", "GDK_BACKEND": "x11"}


def start_bus() -> str:
    """Start the bus of the accessibility tree, which ends with this program's session; returns its address."""
    reading, writing = os.pipe()
    settings, registry = AT_SPI
    command = ["dbus-daemon", f"--config-file={settings}", "--nofork", f"--print-address={writing}"]
    subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading, encoding="ascii") as address:
        os.environ["AT_SPI_BUS_ADDRESS"] = found = address.readline().strip()
    subprocess.Popen(
        [registry], env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": found}, stderr=subprocess.DEVNULL
    )
    return found


start_screen()
bus_address = start_bus()

import gi  # noqa: E402

for name, version in (("Gdk", "3.0"), ("Gtk", "3.0"), ("WebKit2", "4.1")):
    gi.require_version(name, version)
from gi.repository import Gdk, Gio, GLib, Gtk, WebKit2  # noqa: E402

x11, xtest = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x11.XOpenDisplay(None))

Done = Callable[[Any, Any], None]
views: list[Any] = []
reported: list[str] = []
phone = Gtk.Settings.get_default()
phone.set_property("gtk-enable-animations", False)

# The widget has no interface to the console.
HEAR = """(() => {
  const tell = (text) => webkit.messageHandlers.heard.postMessage(text);
  console.error = (...said) => tell(said.join(" "));
  const lost = ({ src, href }) => tell(`not loaded: ${src ?? href}`);
  addEventListener("error", (event) => event.target === window ? tell(event.message) : lost(event.target), true);
  addEventListener("unhandledrejection", (event) => tell(`not handled: ${event.reason}`));
  addEventListener("securitypolicyviolation", (event) =>
    tell(`refused by ${event.violatedDirective}: ${event.blockedURI}`));
})()"""


def awaited(begin: Callable[[Done], None], finish: Callable[[Any], Any]) -> Any:
    """The result of an asynchronous call of GLib. Raises GLib.Error if none comes, as of a page that was left."""
    results: list[Any] = []
    begin(lambda _, result: results.append(result))

    def give_up() -> bool:
        results.append(None)
        return True  # until it is removed

    late = GLib.timeout_add_seconds(PATIENCE, give_up)
    while not results:
        Gtk.main_iteration()
    GLib.source_remove(late)
    if results[0] is None:
        raise GLib.Error("the page is no longer reachable: it gives no answer")
    return finish(results[0])


def page(width: int, height: int) -> int:
    """Open a window whose page shares no data with those of others; returns its number."""
    context = WebKit2.WebContext.new_ephemeral()
    context.set_preferred_languages(["en-GB"])
    view = WebKit2.WebView.new_with_context(context)
    view.get_settings().set_hardware_acceleration_policy(WebKit2.HardwareAccelerationPolicy.NEVER)
    content = view.get_user_content_manager()
    content.connect(
        "script-message-received::heard", lambda _, one: reported.append(one.get_js_value().to_string())
    )
    content.register_script_message_handler("heard")
    frames, start = WebKit2.UserContentInjectedFrames.ALL_FRAMES, WebKit2.UserScriptInjectionTime.START
    content.add_script(WebKit2.UserScript.new(HEAR, frames, start))
    # The window has no manager that would move it, or give another one the focus.
    window = Gtk.Window(type=Gtk.WindowType.POPUP)
    window.add(view)
    window.resize(width, height)
    window.show_all()
    views.append(view)
    return len(views) - 1


def goto(place: int, address: str) -> None:
    """Open an address, and wait until it is loaded: the end of an earlier load may still be told."""
    view, events, others = views[place], [], processes_now()
    heard = view.connect("load-changed", lambda _, event: events.append(event))
    view.load_uri(address)
    while WebKit2.LoadEvent.STARTED not in events or events[-1] != WebKit2.LoadEvent.FINISHED:
        Gtk.main_iteration()
    view.disconnect(heard)
    for name in processes_now() - others:
        processes[place] = name


def evaluate(place: int, body: str) -> Any:
    view = views[place]
    value = awaited(
        lambda done: view.call_async_javascript_function(body, -1, None, None, None, None, done),
        view.call_async_javascript_function_finish,
    )
    return json.loads(value.to_json(0) or "null")


def on_top(place: int) -> Any:
    """A page's own part of the screen, when no other window covers it."""
    views[place].get_toplevel().get_window().raise_()
    Gdk.Display.get_default().sync()
    return views[place].get_window()


def touch(place: int, x: float, y: float) -> None:
    """Press the mouse there and let it go, as X's own test extension does: it knows no fingers."""
    window = on_top(place)
    _, left, top = window.get_origin()
    xtest.XTestFakeMotionEvent(display, -1, left + int(x), top + int(y), 0)
    for pressed in (1, 0):
        xtest.XTestFakeButtonEvent(display, 1, pressed, 0)
    x11.XSync(display, 0)


def write(place: int, text: str) -> None:
    views[place].execute_editing_command_with_argument("InsertText", text)


def resize(place: int, width: int, height: int) -> None:
    views[place].get_toplevel().resize(width, height)


def set_dark(dark: bool) -> None:
    phone.set_property("gtk-application-prefer-dark-theme", dark)


def errors() -> list[str]:
    """What consoles have reported since the last call."""
    found = [*reported]
    reported.clear()
    return found


# The accessibility tree, as AT-SPI has it on its bus, where each page's process has its root.

ROOTS, PARTS, DBUS = "/org/a11y/webkit/accessible", "org.a11y.atspi.", "org.freedesktop.DBus"
AT_SPI_STATES = {4: "checked", 10: "expanded", 12: "focused"}
ENABLED = 8
KEYS = {"Shift": 0xFFE1, "Tab": 0xFF09, "Enter": 0xFF0D, "Space": 0x20}
KEYS |= {"ArrowLeft": 0xFF51, "ArrowUp": 0xFF52, "ArrowRight": 0xFF53, "ArrowDown": 0xFF54}
"""X's numbers of keys; those of others are their letters."""
flags = Gio.DBusConnectionFlags
bus = Gio.DBusConnection.new_for_address_sync(
    bus_address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None
)
Found = list[Any]


processes: dict[int, str] = {}
"""The name on the bus of each page's process."""


def processes_now() -> set[str]:
    return {name for name in told(DBUS, "/", DBUS, "ListNames") if ".WebProcess-" in name}


def told(name: str, path: str, part: str, method: str, *arguments: str | int) -> Any:
    """What an object of the bus answers."""
    kinds = "".join("s" if isinstance(one, str) else "i" for one in arguments)
    given = GLib.Variant(f"({kinds})", arguments) if arguments else None
    found = awaited(
        lambda done: bus.call(name, path, part, method, given, None, Gio.DBusCallFlags.NONE, -1, None, done),
        bus.call_finish,
    ).unpack()
    return found if len(found) > 1 else next(iter(found), None)


def read(place: int) -> Found:
    """The accessibility tree of a page: role, name, states and handle of each node."""
    name = processes[place]
    nodes: Found = []
    for root in re.findall('node name="(.+?)"', told(name, ROOTS, f"{DBUS}.Introspectable", "Introspect")):
        add_nodes(name, f"{ROOTS}/{root}", nodes)
    return nodes


def add_nodes(name: str, path: str, nodes: Found) -> None:
    part = f"{PARTS}Accessible"
    label = told(name, path, f"{DBUS}.Properties", "Get", part, "Name")
    low, _ = told(name, path, part, "GetState")
    states = [state for bit, state in AT_SPI_STATES.items() if low >> bit & 1]
    states += [] if low >> ENABLED & 1 else ["disabled"]
    nodes.append([told(name, path, part, "GetRole"), label, states, [name, path]])
    for its_name, its_path in told(name, path, part, "GetChildren"):
        add_nodes(its_name, its_path, nodes)


def activate(place: int, name: str, path: str) -> None:
    told(name, path, f"{PARTS}Action", "DoAction", 0)


def press(place: int, key: str) -> None:
    """Press a key in a page's window."""
    window = on_top(place)
    x11.XSetInputFocus(display, window.get_toplevel().get_xid(), 0, 0)
    codes = [x11.XKeysymToKeycode(display, KEYS.get(one) or ord(one)) for one in key.split("+")]
    for code in codes:
        xtest.XTestFakeKeyEvent(display, code, 1, 0)
    for code in reversed(codes):
        xtest.XTestFakeKeyEvent(display, code, 0, 0)
    x11.XSync(display, 0)


def screenshot(place: int, path: str) -> None:
    window = on_top(place)
    Gdk.pixbuf_get_from_window(window, 0, 0, window.get_width(), window.get_height()).savev(
        path, "png", [], []
    )


REQUESTS: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (
        page,
        goto,
        evaluate,
        touch,
        write,
        resize,
        set_dark,
        errors,
        screenshot,
        read,
        activate,
        press,
    )
}


def serve(port: int) -> None:
    """Answer one connection until it is closed."""
    listening = socket.create_server(("127.0.0.1", port))
    connection, _ = listening.accept()
    lines = connection.makefile("rwb")

    def answer(*_: object) -> bool:
        if not (line := lines.readline()):
            Gtk.main_quit()
            return False
        name, *arguments = json.loads(line)
        try:
            found = REQUESTS[name](*arguments)
        except GLib.Error as error:
            found = {"error": error.message}
        lines.write(json.dumps(found).encode() + b"\n")
        lines.flush()
        return True

    GLib.io_add_watch(
        connection.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, answer
    )
    Gtk.main()


serve(int(sys.argv[1]))
