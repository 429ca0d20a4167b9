"""Speech to text, speech quality and text to speech, with the weights that packages carry."""
