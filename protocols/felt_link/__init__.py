"""felt-link: our open link to shufflers, button pads and USB shoes."""
