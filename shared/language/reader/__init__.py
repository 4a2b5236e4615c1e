"""The bundled reader: a small encoder with heads for the four questions of `shared.language`."""
