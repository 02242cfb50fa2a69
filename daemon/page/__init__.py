"""The page: a web server for the screens of dealers, supervisors and visitors, in a process of its own.

It is an MQTT client like any other. It reads what is public, and sends each person's commands over their own connection
to the broker, under their own name. Nothing of the table runs here, and the table's process does not know of it.
"""
