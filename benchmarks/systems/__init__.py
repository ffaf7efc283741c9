"""The presets side by side: from reading to the answer, each in a process of its own."""
