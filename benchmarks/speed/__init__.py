"""Speed, memory and disk, side by side with a LangChain chain: `python -m benchmarks.speed`."""
