"""A language model at a seat: it reads the table as text and acts by tool calls, within a budget.

Any endpoint that speaks the chat-completions protocol will do. `name` reads `llm:MODEL@URL`, `endpoint`
speaks HTTP, `player` is the seat, `transcript` writes down what was said.
"""
