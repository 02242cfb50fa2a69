/*
 * shuffler.c: a felt-link device, a single-deck shuffler that counts packets and reads no faces.
 * Written from protocols/felt_link/SPEC.md alone by somebody who had read no line of feltd.
 * felt-link is spoken on standard input and output (a raw pseudo-terminal). Argument 1 is a file descriptor on which
 * hands are acted out, one letter each: 't' takes the packet out of the tray, 'l' puts a deck into the empty machine,
 * 'k' presses the key "void"; its end ends the program with status 0. The machine starts with no deck inside.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Section 8, limits. The names that end in _NS stand there with milliseconds; here they say what they are. */
enum {
	FRAME_LENGTH_MAX = 512, FIELD_LENGTH_MAX = 256, FIELDS_MAX = 12, WORD_LENGTH_MAX = 32, COMMAND_ID_LENGTH_MAX = 32,
	CARDS_MAX = 999, STORE_DEPTH = 256, STORE_RESERVE = 16, WINDOW_EVENTS = 8, COMMANDS_REMEMBERED = 64,
	HELLO_MS = 1000, BEAT_MS = 500, SILENCE_MS = 2000, RETRANSMIT_MS = 1000,
};
#define SEQ_MAX 4294967295LL
#define DIGITS "0123456789"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
enum { STX = 0x02, ETX = 0x03, ACK = 0x06, NAK = 0x15 };	/* section 3 */
enum { DECK_CARDS = 52, SHUFFLE_MS = 300, PACKET_MS = 100, EJECT_MS = 200 };	/* the machine's own */

static int64_t now;	/* milliseconds, monotonic */

static void tick(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	now = t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* The line. Section 2, "Room": what the host does not fetch is kept up to a size, and what comes after is thrown away. */
static char out[WINDOW_EVENTS * FRAME_LENGTH_MAX];
static size_t out_used;
static bool port_closed;
/* Sections 4 and 5: the connection. */
static bool welcomed;
static int64_t heard_at, said_at, hello_at;	/* last sound frame in, last frame out, last hello */
/* Section 6: the store, and what of it is on its way. */
struct event { char kind[13], fields[100]; bool sent; };
static struct event store[STORE_DEPTH];
static char boot[17];
static int64_t first, next, to_send;	/* oldest event kept; number of the next new one; the one to send: first .. next */
static int64_t sent_welcome, sent_ever;	/* last sent since the last welcome, or its number; last ever sent in this boot */
static int64_t retransmit_from;
static bool store_full;
/* Section 7: the commands that are remembered. */
struct command { char id[COMMAND_ID_LENGTH_MAX + 1], text[FRAME_LENGTH_MAX], answer[WORD_LENGTH_MAX + 12]; };
static struct command known[COMMANDS_REMEMBERED];
static unsigned known_next;
/* The machine. */
static enum { STANDING, SHUFFLING, DEALING, EJECTING } motion;
static int64_t motion_ends;
static int rack, packet_size = 5, position = 1, tray;	/* tray: position of the packet that lies in it, or 0 */
static bool waiting, locked, lamp;			/* waiting: the deck in the rack was put in and is to be shuffled */

/* ---- Section 3, frames: sending ---- */
static uint16_t crc(const char *bytes, size_t n)	/* CRC-16/IBM-3740: 29B1 over 123456789 */
{
	uint16_t c = 0xFFFF;
	for (size_t bit = 0; bit < 8 * n; bit++) {
		c ^= (uint16_t)(bit % 8 ? 0 : (unsigned char)bytes[bit / 8] << 8);
		c = (uint16_t)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);
	}
	return c;
}

static void flush(void)
{
	ssize_t n = out_used ? write(STDOUT_FILENO, out, out_used) : 0;
	if (n > 0)
		memmove(out, out + n, out_used -= (size_t)n);
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	char frame[FRAME_LENGTH_MAX + 8];
	va_list arguments;
	va_start(arguments, format);
	frame[0] = STX;
	int n = 1 + vsnprintf(frame + 1, FRAME_LENGTH_MAX - 5, format, arguments);
	va_end(arguments);
	frame[n++] = ETX;
	n += sprintf(frame + n, "%04X", crc(frame + 1, (size_t)n - 1));	/* everything after the start byte, with ETX */
	if (out_used + (size_t)n <= sizeof out) {
		memcpy(out + out_used, frame, (size_t)n);
		out_used += (size_t)n;
	}
	said_at = now;
}

/* ---- Section 4, beginning; section 5, staying in touch ---- */
static void hello(void)
{
	welcomed = false;
	hello_at = now;
	say("HELLO|0||1|Stranger S-52|S-0001|1.0.0|shuffler,counts,commands,buttons|%s|%lld|%lld", boot, (long long)first,
	    (long long)next);
}

static void beat(void) { say("BEAT|0||%lld", (long long)sent_welcome); }

/* ---- Section 6, events ---- */
static void new_boot(void);

__attribute__((format(printf, 2, 3))) static void record(const char *kind, const char *format, ...)
{
	if (next == SEQ_MAX)	/* numbers never wrap, and a hello can always name the next one */
		new_boot();
	struct event *e = &store[next++ % STORE_DEPTH];
	va_list arguments;
	va_start(arguments, format);
	snprintf(e->kind, sizeof e->kind, "%s", kind);
	vsnprintf(e->fields, sizeof e->fields, format, arguments);
	va_end(arguments);
	e->sent = false;
	if (!store_full && STORE_DEPTH - (next - first) <= STORE_RESERVE) {
		store_full = true;
		record("FAULT", "|store-full|%d events wait", (int)(next - first));
	}
}

static void new_boot(void)	/* "The boot": 64 random bits; the contents of the store are gone */
{
	uint64_t bits;
	if (getentropy(&bits, sizeof bits)) exit(1);
	snprintf(boot, sizeof boot, "%016llX", (unsigned long long)bits);
	first = next = to_send = 1;
	sent_welcome = sent_ever = store_full = 0;
	memset(known, 0, sizeof known);
	hello();
	record("MODE", "|%d", packet_size);	/* "When MODE is recorded": at every start */
}

static void send_events(void)	/* "Sending": as the window allows */
{
	while (welcomed && to_send < next && to_send < first + WINDOW_EVENTS) {
		struct event *e = &store[to_send % STORE_DEPTH];
		if (to_send == first) retransmit_from = now;	/* none was on its way */
		say("%s|%lld|%s%s", e->kind, (long long)to_send, e->sent ? "R" : "", e->fields);
		e->sent = true;
		sent_welcome = to_send > sent_welcome ? to_send : sent_welcome;
		sent_ever = to_send > sent_ever ? to_send : sent_ever;
		to_send++;
	}
}

static void go_back(int64_t seq)	/* "Asking again" */
{
	to_send = seq;
	retransmit_from = now;
}

static void acknowledge(int64_t seq)	/* "Acknowledging": also by a beat (section 5) and a welcome (section 4) */
{
	if (seq < first || seq > sent_ever) return;
	first = seq + 1;
	to_send = to_send < first ? first : to_send;
	retransmit_from = now;
	if (store_full && next - first <= STORE_DEPTH / 2) {	/* "The store" */
		store_full = false;
		record("CLEARED", "|store-full");
	}
}

/* ---- Section 6, "Shuffler events": the machine ---- */
static void move(int what)
{
	motion = what;
	motion_ends = now + (what == SHUFFLING ? SHUFFLE_MS : what == DEALING ? PACKET_MS : EJECT_MS);
	if (what == SHUFFLING) {
		waiting = false;
		position = 1;
		record("SHUFFLING", "%s", "");
	}
}

static void work(void)	/* ends a motion, and begins the shuffle that needs no order ("Who begins to shuffle") */
{
	int ended = now >= motion_ends ? motion : STANDING;
	if (ended == SHUFFLING) {
		record("SHUFFLED", "|%d", rack);
	} else if (ended == DEALING) {
		rack -= packet_size;
		tray = position++;
		record("PACKET", "|%d|%d|-", tray, packet_size);
	} else if (ended == EJECTING) {
		record("REMAINDER", "|%d|-", rack);
		rack = 0;
		waiting = false;
	}
	if (ended) motion = STANDING;
	if (motion == STANDING && waiting && !locked && !store_full)
		move(SHUFFLING);
}

static void hand(char letter)
{
	if (letter == 't' && tray) {
		record("REMOVED", "|%d", tray);
		tray = 0;
	} else if (letter == 'l' && !rack && motion == STANDING) {
		rack = DECK_CARDS;
		waiting = true;
		record("DECK", "%s", "");
	} else if (letter == 'k' && !store_full) {	/* "The store": takes no key; "Keys": void */
		record("BUTTON", "|void");
	}
}

/* ---- Section 3, "Texts in fields" ---- */
static bool made_of(const char *letters, const char *text, size_t least, size_t most)
{
	size_t n = strlen(text);
	return n >= least && n <= most && strspn(text, letters) == n;
}

static bool number(const char *text, int64_t most, int64_t *value)	/* decimal without leading zeros */
{
	*value = strtoll(text, NULL, 10);
	return made_of(DIGITS, text, 1, 10) && (text[0] != '0' || !text[1]) && *value <= most;
}

static bool word(const char *text) { return made_of(DIGITS "abcdefghijklmnopqrstuvwxyz-", text, 1, WORD_LENGTH_MAX); }

/* ---- Section 7, commands ---- */
static const char *order(char **field, int fields)	/* NULL: accepted; else the word of the refusal */
{
	static const char *const words[] = {"mode", "dispense", "lamp", "eject", "reshuffle", "lock", "unlock"};
	enum { MODE, DISPENSE, LAMP, EJECT, RESHUFFLE, LOCK, UNLOCK, WORDS } what = MODE;
	int64_t value = 0;
	if (fields < 1 || !word(field[0])) return "bad-argument";
	while (what < WORDS && strcmp(words[what], field[0]))
		what++;
	if (what == WORDS) return "unknown-command";
	if (fields != (what <= LAMP ? 2 : 1)) return "bad-argument";
	if (fields > 1 && (!number(field[1], what == MODE ? DECK_CARDS : what == LAMP ? 1 : CARDS_MAX, &value) ||
			   (what != LAMP && value < 1)))
		return "bad-argument";
	if (what == LAMP) return lamp = value, NULL;
	if (what >= LOCK)	/* after unlock, work() shuffles a deck that waits */
		return locked = what == LOCK, NULL;
	if (store_full) return "store-full";
	if (locked && what != MODE) return "locked";
	if ((motion != STANDING && (what != RESHUFFLE || motion != SHUFFLING)) || (what == DISPENSE && tray))
		return "busy";
	if (what == DISPENSE ? rack < packet_size : what == EJECT && !rack) return "no-deck";
	if (what == DISPENSE && value != position) return "position";
	if (what == MODE)
		record("MODE", "|%d", packet_size = (int)value);
	else if (what == DISPENSE)
		move(DEALING);
	else if (rack)	/* reshuffle of a part of a deck ejects it; of an empty rack it does nothing */
		move(what == RESHUFFLE && rack == DECK_CARDS ? SHUFFLING : EJECTING);
	return NULL;
}

static void take_order(char **field, int fields, const char *rest)	/* rest: the word and its arguments as they came */
{
	if (!fields || !*field[0] || strlen(field[0]) > COMMAND_ID_LENGTH_MAX || strchr(field[0], ' '))
		return;		/* an order whose id cannot be read gets no answer */
	for (int i = 0; i < COMMANDS_REMEMBERED; i++) {
		if (strcmp(known[i].id, field[0]) == 0) {
			say("ANSWER|0||%s|%s", field[0], strcmp(known[i].text, rest) ? "refused|id-reused" : known[i].answer);
			return;
		}
	}
	const char *refusal = order(field + 1, fields - 1);
	struct command *c = &known[known_next++ % COMMANDS_REMEMBERED];
	strcpy(c->id, field[0]);
	snprintf(c->text, sizeof c->text, "%s", rest);
	snprintf(c->answer, sizeof c->answer, "%s%s", refusal ? "refused|" : "accepted", refusal ? refusal : "");
	say("ANSWER|0||%s|%s", c->id, c->answer);
}

/* ---- Sections 4 to 7: what came ---- */
static void take_message(const char *kind, char **field, int fields, const char *rest)
{
	int64_t version, seq;
	if (strcmp(kind, "WELCOME") == 0) {	/* section 4: of a version offered, for this boot, a number once sent */
		if (fields != 3 || !number(field[0], 99, &version) || version != 1 || strcmp(field[1], boot) ||
		    !number(field[2], SEQ_MAX, &seq) || seq > sent_ever)
			return;
		welcomed = true;
		acknowledge(seq);
		sent_welcome = seq;
		go_back(first);
		beat();
	} else if (strcmp(kind, "REFUSE") == 0) {	/* section 4: show it, and go on saying hello */
		if (fields == 2)
			fprintf(stderr, "refused: %s: %s\n", field[0], field[1]);
		welcomed = false;
	} else if (welcomed && strcmp(kind, "BEAT") == 0) {	/* section 5: counts as an acknowledgement */
		if (fields == 1 && number(field[0], SEQ_MAX, &seq))
			acknowledge(seq);
	} else if (welcomed && strcmp(kind, "DO") == 0) {
		take_order(field, fields, rest);
	}
}

static void take_frame(char start, char *body)	/* section 3: a frame in any other form is noise */
{
	char *part[FIELDS_MAX + 4], *at = body, rest[FRAME_LENGTH_MAX] = "";
	int parts = 0;
	int64_t seq;
	do {
		if (parts == 4) strcpy(rest, at);
		part[parts++] = strsep(&at, "|");
		if (parts > FIELDS_MAX + 3 || strlen(part[parts - 1]) > FIELD_LENGTH_MAX) return;
	} while (at);
	if (start == STX) {	/* nothing that a host says is an event: its number is 0; flags are left alone */
		if (parts < 3 || !made_of(CAPITALS, part[0], 1, 12) || strcmp(part[1], "0") ||
		    !made_of(CAPITALS, part[2], 0, 8))
			return;
		heard_at = now;
		take_message(part[0], part + 3, parts - 3, rest);
	} else if (number(part[0], SEQ_MAX, &seq) && parts == (start == ACK ? 1 : 2)) {
		heard_at = now;
		if (welcomed && start == ACK)
			acknowledge(seq);
		else if (welcomed && word(part[1]) && seq >= first && seq <= sent_welcome)
			go_back(seq);	/* section 6, "Asking again" */
	}
}

static void take_byte(char byte)	/* section 3 */
{
	static char frame[FRAME_LENGTH_MAX + 1];
	static int used, end;	/* used 0: outside a frame; end: where the CRC begins, 0 before ETX */
	if (byte == STX || byte == ACK || byte == NAK) {	/* always begins a frame */
		used = end = 0;
	} else if (!used) {
		return;		/* noise, or a line's end for people */
	} else if (used == FRAME_LENGTH_MAX ||
		   (end ? !memchr(DIGITS "ABCDEF", byte, 16) : byte != ETX && (byte < 0x20 || byte > 0x7E))) {
		used = 0;	/* too long, or in another form */
		return;
	}
	frame[used++] = byte;
	end = byte == ETX ? used : end;
	if (!end || used < end + 4) return;
	frame[used] = 0;
	used = 0;
	if (strtoul(frame + end, NULL, 16) == crc(frame + 1, (size_t)end - 1)) {
		frame[end - 1] = 0;
		take_frame(frame[0], frame + 1);
	}
}

static void timers(void)
{
	if (welcomed && now - heard_at >= SILENCE_MS)	/* section 5 */
		hello();
	if (!welcomed && now - hello_at >= HELLO_MS)	/* section 4 */
		hello();
	if (welcomed && to_send > first && now - retransmit_from >= RETRANSMIT_MS)	/* section 6 */
		go_back(first);
	work();
	send_events();
	if (welcomed && now - said_at >= BEAT_MS)	/* section 5 */
		beat();
	flush();
}

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	int hands = atoi(argv[1]);
	for (int fd = STDIN_FILENO; fd <= STDOUT_FILENO; fd++)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	tick();
	new_boot();	/* the store is not lasting: every start is a new boot, and says hello */
	for (;;) {
		char bytes[512];
		struct pollfd polled[2] = {{.fd = hands, .events = POLLIN},
					   {.fd = port_closed ? -1 : STDIN_FILENO, .events = POLLIN}};
		poll(polled, 2, 5);
		tick();
		ssize_t n = polled[0].revents ? read(hands, bytes, sizeof bytes) : -1;
		if (polled[0].revents && n <= 0) return 0;
		for (ssize_t i = 0; i < n; i++) hand(bytes[i]);
		n = read(STDIN_FILENO, bytes, sizeof bytes);
		for (ssize_t i = 0; i < n; i++) take_byte(bytes[i]);
		bool was_closed = port_closed;
		port_closed = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
		if (was_closed && !port_closed) hello();	/* section 4: the port was opened */
		timers();
	}
}
