"""Qt's palette from a theme."""

from __future__ import annotations

from PySide6.QtGui import QPalette

from gui.theme.colours import Theme

_ROLES = {
    QPalette.ColorRole.Window: "surface.window",
    QPalette.ColorRole.WindowText: "text.primary",
    QPalette.ColorRole.Base: "surface.panel",
    QPalette.ColorRole.AlternateBase: "surface.lane",
    QPalette.ColorRole.Text: "text.primary",
    QPalette.ColorRole.Button: "surface.panel",
    QPalette.ColorRole.ButtonText: "text.primary",
    QPalette.ColorRole.BrightText: "text.on_accent",
    QPalette.ColorRole.Highlight: "surface.selected",
    QPalette.ColorRole.HighlightedText: "text.primary",
    QPalette.ColorRole.Link: "accent.base",
    QPalette.ColorRole.LinkVisited: "accent.base",
    QPalette.ColorRole.Accent: "accent.base",
    QPalette.ColorRole.PlaceholderText: "text.tertiary",
    QPalette.ColorRole.ToolTipBase: "surface.raised",
    QPalette.ColorRole.ToolTipText: "text.primary",
    QPalette.ColorRole.Light: "surface.panel",
    QPalette.ColorRole.Midlight: "surface.hover",
    QPalette.ColorRole.Mid: "surface.line_strong",
    QPalette.ColorRole.Dark: "surface.control_edge",
    QPalette.ColorRole.Shadow: "surface.line",
}
_DISABLED = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
    QPalette.ColorRole.HighlightedText,
    QPalette.ColorRole.PlaceholderText,
)


def palette(theme: Theme) -> QPalette:
    """The palette of a theme for active, inactive and disabled widgets."""
    made = QPalette()
    for role, path in _ROLES.items():
        made.setColor(role, theme.color(path))
    for role in _DISABLED:
        made.setColor(QPalette.ColorGroup.Disabled, role, theme.color("text.disabled"))
    return made
