"""The tones a text may have, and the colour each is."""

TONES = {
    "": "text.primary",
    "secondary": "text.secondary",
    "tertiary": "text.tertiary",
    "disabled": "text.disabled",
    "accent": "accent.base",
    "good": "state.scored",
    "warning": "verdict.warning",
    "unparsable": "state.unparsable",
    "failed": "state.failed",
    "unscored": "state.unscored",
    "error": "verdict.fail",
}
