"""Packs what people take with them."""
