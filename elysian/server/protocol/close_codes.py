"""Why a socket is closed: the codes a client may be sent; those from 4000 on are ours."""

GOING_AWAY = 1001  # the server stops, or the table leaves its memory
BINARY = 1003
TOO_FAST = 1008
TOO_SLOW = 1013
KEY_ENDED = 4401
SEAT_LOST = 4403
