/* A felt-link shuffler in C, written from protocols/felt_link/SPEC.md alone: no line of feltd was read for it.
 *
 * It speaks on its standard input and output. The descriptor that its argument names is the hands beside it, one letter
 * each: t takes the packet out of the tray, l puts a deck in, k presses the key "void". Comments name the sections.
 */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/random.h>

enum { STX = 2, ETX = 3, ACK = 6, NAK = 21 };
enum { FRAME_MAX = 512, FIELDS = 16, STORE = 256, RESERVE = 16, WINDOW = 8, KNOWN = 64, DECK = 52 };
enum { HELLO_MS = 1000, BEAT_MS = 500, SILENCE_MS = 2000, RETRANSMIT_MS = 1000 };

typedef struct { char text[FRAME_MAX], kind[16]; int was_sent; } Event; /* text: the fields, each behind its bar */
typedef struct { char id[33], words[80], answer[64]; } Command;
enum Motor { STILL, SHUFFLING, DEALING, EJECTING };

static char boot[17];
static Event store[STORE];
static uint64_t first_kept = 1, next_seq = 1, next_to_send = 1, sent_ever, named; /* named: by a beat */
static int welcomed, is_full, lamp, locked;
static int64_t heard_ms, said_ms, hello_ms, progress_ms, motor_ms;
static Command known[KNOWN];
static unsigned known_count;
static int rack[DECK], left, is_whole, position, tray, mode = 5;
static enum Motor motor = STILL;

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* Section 3: frames. */

static unsigned crc16(const unsigned char *data, size_t size) {
    unsigned crc = 0xFFFF;
    for (size_t i = 0; i < size; i++) {
        crc ^= (unsigned)data[i] << 8;
        for (int bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1 ^ 0x1021) & 0xFFFF : crc << 1 & 0xFFFF;
    }
    return crc;
}

static void say(const char *body) {
    unsigned char out[FRAME_MAX + 8];
    size_t size = strlen(body);
    out[0] = STX;
    memcpy(out + 1, body, size);
    out[1 + size] = ETX;
    snprintf((char *)out + 2 + size, 5, "%04X", crc16(out + 1, size + 1));
    for (size_t done = 0; done < size + 6;) {
        ssize_t wrote = write(1, out + done, size + 6 - done);
        if (wrote <= 0) exit(0);
        done += (size_t)wrote;
    }
    said_ms = now_ms();
}

static void hello(void) {
    char body[FRAME_MAX];
    snprintf(body, sizeof body, "HELLO|0||1|CS-1|C-0001|0.1.0|shuffler,faces,counts,commands,buttons|%s|%llu|%llu", boot,
             (unsigned long long)first_kept, (unsigned long long)next_seq);
    say(body);
    hello_ms = now_ms() + HELLO_MS;
}

static void beat(void) {
    char body[40];
    snprintf(body, sizeof body, "BEAT|0||%llu", (unsigned long long)named);
    say(body);
}

/* Section 6: events. */

static int used(void) { return (int)(next_seq - first_kept); }

static void send_window(void) {
    while (welcomed && next_to_send < next_seq && next_to_send < first_kept + WINDOW) {
        Event *event = &store[next_to_send % STORE];
        char body[FRAME_MAX + 64];
        if (next_to_send == first_kept) progress_ms = now_ms(); /* none was on its way */
        snprintf(body, sizeof body, "%s|%llu|%s%s", event->kind, (unsigned long long)next_to_send,
                 event->was_sent ? "R" : "", event->text);
        event->was_sent = 1;
        say(body);
        if (next_to_send > sent_ever) sent_ever = next_to_send;
        if (next_to_send > named) named = next_to_send;
        next_to_send++;
    }
}

static void record(const char *kind, const char *text) {
    if (used() == STORE) abort(); /* the reserve is for what a motion still has to say */
    Event *event = &store[next_seq++ % STORE];
    snprintf(event->kind, sizeof event->kind, "%s", kind);
    snprintf(event->text, sizeof event->text, "%s", text);
    event->was_sent = 0;
    if (!is_full && used() >= STORE - RESERVE) {
        is_full = 1;
        record("FAULT", "|store-full|");
    }
    send_window();
}

static void go_back(uint64_t seq) {
    next_to_send = seq;
    progress_ms = now_ms();
    send_window();
}

static void acknowledge(uint64_t seq) {
    if (seq > sent_ever || seq < first_kept) return; /* never sent, or nothing new */
    first_kept = seq + 1;
    if (next_to_send < first_kept) next_to_send = first_kept;
    progress_ms = now_ms();
    if (is_full && used() <= STORE / 2) {
        is_full = 0;
        record("CLEARED", "|store-full");
    }
    send_window();
}

/* The machine. */

static void shuffle_when_possible(void) {
    if (motor != STILL || locked || is_full || !is_whole || position >= 0) return;
    record("SHUFFLING", "");
    motor = SHUFFLING;
    motor_ms = now_ms() + 150;
}

static void load(void) {
    if (left || motor != STILL) return;
    left = DECK;
    for (int i = 0; i < DECK; i++) rack[i] = i;
    is_whole = 1;
    position = -1; /* it has no order yet */
    record("DECK", "");
    shuffle_when_possible();
}

static void faces_of(char *text, int from, int count) {
    static const char ranks[] = "23456789TJQKA", suits[] = "cdhs";
    for (int i = 0; i < count; i++)
        text += sprintf(text, "%s%c%c", i ? " " : "", ranks[rack[from + i] / 4], suits[rack[from + i] % 4]);
    *text = 0;
}

static void stop_motor(void) {
    char faces[3 * DECK + 1], text[FRAME_MAX];
    enum Motor moved = motor;
    motor = STILL;
    if (moved == SHUFFLING) {
        for (int i = DECK - 1; i > 0; i--) {
            uint32_t chance;
            if (getrandom(&chance, sizeof chance, 0) != sizeof chance) abort();
            int j = (int)(chance % (unsigned)(i + 1)), card = rack[i];
            rack[i] = rack[j], rack[j] = card;
        }
        position = 0;
        record("SHUFFLED", "|52");
    } else if (moved == DEALING) {
        faces_of(faces, DECK - left, mode);
        left -= mode, is_whole = 0, tray = ++position;
        snprintf(text, sizeof text, "|%d|%d|%s", tray, mode, faces);
        record("PACKET", text);
    } else {
        faces_of(faces, DECK - left, left);
        snprintf(text, sizeof text, "|%d|%s", left, faces);
        left = 0, is_whole = 0;
        record("REMAINDER", text);
    }
    shuffle_when_possible();
}

/* Section 7: commands. Return the word of a refusal, or NULL. */

static long number(const char *text, long least, long most) {
    size_t digits = strspn(text, "0123456789");
    if (!digits || digits > 10 || text[digits] || (digits > 1 && *text == '0')) return -1;
    long value = atol(text);
    return value < least || value > most ? -1 : value;
}

static void move(enum Motor what) { motor = what, motor_ms = now_ms() + 60; }

static const char *do_motion(const char *word, long cards) {
    if (locked) return "locked";
    if (is_full) return "store-full";
    if (motor == SHUFFLING && !strcmp(word, "reshuffle")) {
        motor = STILL, position = -1;
        shuffle_when_possible();
        return NULL;
    }
    if (motor != STILL) return "busy";
    if (!strcmp(word, "dispense")) {
        if (tray) return "busy";
        if (position < 0 || left < mode) return "no-deck";
        if (cards != position + 1) return "position";
        move(DEALING);
    } else if (!strcmp(word, "eject")) {
        if (!left) return "no-deck";
        move(EJECTING);
    } else if (left && is_whole) {
        position = -1;
        shuffle_when_possible();
    } else if (left) {
        move(EJECTING);
    }
    return NULL;
}

static const char *obey(char **words, int count) {
    const char *word = words[0];
    int takes_number = !strcmp(word, "mode") || !strcmp(word, "dispense") || !strcmp(word, "lamp");
    int is_motion = !strcmp(word, "dispense") || !strcmp(word, "eject") || !strcmp(word, "reshuffle");
    if (!takes_number && !is_motion && strcmp(word, "lock") && strcmp(word, "unlock")) return "unknown-command";
    int is_lamp = !strcmp(word, "lamp");
    long value = takes_number && count == 2 ? number(words[1], is_lamp ? 0 : 1, is_lamp ? 1 : 999) : 0;
    if (count != 1 + takes_number || value < 0) return "bad-argument";
    if (is_motion) return do_motion(word, value);
    if (!strcmp(word, "mode")) {
        char text[16];
        if (is_full) return "store-full";
        if (motor != STILL) return "busy";
        if (value > DECK) return "bad-argument";
        mode = (int)value;
        snprintf(text, sizeof text, "|%d", mode);
        record("MODE", text);
    } else if (is_lamp) {
        lamp = (int)value;
    } else {
        locked = !strcmp(word, "lock");
        shuffle_when_possible();
    }
    return NULL;
}

static void on_order(char **fields, int count) {
    char words[80] = "", body[FRAME_MAX];
    const char *id = fields[0];
    if (count < 2 || !*id || strlen(id) > 32 || strchr(id, ' ')) return;
    for (int i = 1; i < count; i++) {
        strncat(words, "|", sizeof words - strlen(words) - 1);
        strncat(words, fields[i], sizeof words - strlen(words) - 1);
    }
    const char *answer = NULL;
    for (unsigned i = 0; i < KNOWN && i < known_count; i++)
        if (!strcmp(known[i].id, id)) answer = strcmp(known[i].words, words) ? "refused|id-reused" : known[i].answer;
    if (!answer) {
        Command *command = &known[known_count++ % KNOWN];
        const char *refusal = obey(fields + 1, count - 1);
        snprintf(command->id, sizeof command->id, "%s", id);
        snprintf(command->words, sizeof command->words, "%s", words);
        snprintf(command->answer, sizeof command->answer, "%s%s", refusal ? "refused|" : "accepted", refusal ? refusal : "");
        answer = command->answer;
    }
    snprintf(body, sizeof body, "ANSWER|0||%s|%s", id, answer);
    say(body);
}

/* Section 4: a welcome. */

static void on_welcome(char **fields, int count) {
    if (count != 3 || number(fields[0], 1, 1) < 0 || strcmp(fields[1], boot)) return;
    long seq = number(fields[2], 0, 4294967295L);
    if (seq < 0 || ((uint64_t)seq > sent_ever && (uint64_t)seq >= first_kept)) return;
    welcomed = 0; /* nothing is sent before the beat */
    acknowledge((uint64_t)seq);
    next_to_send = first_kept, named = (uint64_t)seq, welcomed = 1;
    beat();
    progress_ms = now_ms();
    send_window();
}

static int is_kind(const char *text) {
    size_t size = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return size >= 1 && size <= 12 && !text[size];
}

static void on_frame(int start, char *body) {
    char *parts[FIELDS];
    int count = 0;
    for (char *at = body; at && count < FIELDS;) {
        char *bar = strchr(at, '|');
        if (bar) *bar = 0;
        parts[count++] = at;
        at = bar ? bar + 1 : NULL;
    }
    if (start == STX) {
        if (count < 3 || !is_kind(parts[0]) || number(parts[1], 0, 4294967295L) < 0 || strlen(parts[2]) > 8) return;
        if (strspn(parts[2], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != strlen(parts[2])) return;
    } else if (count != (start == ACK ? 1 : 2) || number(parts[0], 0, 4294967295L) < 0) {
        return;
    }
    heard_ms = now_ms();
    if (start == STX && !strcmp(parts[0], "WELCOME")) on_welcome(parts + 3, count - 3);
    if (start == STX && !strcmp(parts[0], "REFUSE") && count == 5) fprintf(stderr, "refused: %s %s\n", parts[3], parts[4]);
    if (!welcomed) return;
    if (start == ACK) acknowledge((uint64_t)atol(parts[0]));
    if (start == NAK) {
        uint64_t seq = (uint64_t)atol(parts[0]);
        if (seq >= first_kept && seq <= named && seq < next_seq) go_back(seq);
    }
    if (start == STX && !strcmp(parts[0], "BEAT") && count == 4 && number(parts[3], 0, 4294967295L) >= 0)
        acknowledge((uint64_t)atol(parts[3]));
    if (start == STX && !strcmp(parts[0], "DO")) on_order(parts + 3, count - 3);
}

static void on_byte(unsigned char byte) {
    static unsigned char frame[FRAME_MAX];
    static size_t size;
    static int start, check; /* check: how many digits of it have come, or -1 before ETX */
    if (byte == STX || byte == ACK || byte == NAK) {
        start = byte, size = 0, check = -1;
        return;
    }
    if (!start) return; /* noise */
    frame[size++] = byte;
    if (size + 1 > FRAME_MAX - 1) {
        start = 0;
    } else if (check >= 0) {
        if (!strchr("0123456789ABCDEF", byte) || !byte) start = 0;
        else if (++check == 4) {
            char digits[5];
            snprintf(digits, sizeof digits, "%04X", crc16(frame, size - 4));
            int is_sound = !memcmp(digits, frame + size - 4, 4), began = start;
            frame[size - 5] = 0; /* in the place of ETX */
            start = 0;
            if (is_sound) on_frame(began, (char *)frame);
        }
    } else if (byte == ETX) {
        check = 0;
    } else if (byte < 0x20 || byte > 0x7E) {
        start = 0;
    }
}

static void on_hand(char what) {
    char text[16];
    if (what == 'l') load();
    if (what == 'k' && !is_full) record("BUTTON", "|void");
    if (what == 't' && tray) {
        snprintf(text, sizeof text, "|%d", tray);
        tray = 0;
        record("REMOVED", text);
    }
}

static void on_time(void) {
    int64_t now = now_ms();
    if (motor != STILL && now >= motor_ms) stop_motor();
    shuffle_when_possible();
    if (welcomed && now - heard_ms >= SILENCE_MS) welcomed = 0, hello_ms = now;
    if (!welcomed && now >= hello_ms) hello();
    if (welcomed && next_to_send > first_kept && now - progress_ms >= RETRANSMIT_MS) go_back(first_kept);
    if (welcomed && now - said_ms >= BEAT_MS) beat();
}

int main(int count, char **arguments) {
    int hands = count > 1 ? atoi(arguments[1]) : 3;
    uint64_t chance;
    char text[16];
    if (getrandom(&chance, sizeof chance, 0) != sizeof chance) return 1;
    snprintf(boot, sizeof boot, "%016llX", (unsigned long long)chance);
    snprintf(text, sizeof text, "|%d", mode);
    record("MODE", text);
    load();
    struct pollfd ends[2] = {{.fd = 0, .events = POLLIN}, {.fd = hands, .events = POLLIN}};
    for (;;) {
        unsigned char data[256];
        poll(ends, 2, 20);
        if (ends[0].revents) {
            ssize_t size = read(0, data, sizeof data);
            if (size <= 0) return 0;
            for (ssize_t i = 0; i < size; i++) on_byte(data[i]);
        }
        if (ends[1].revents) {
            ssize_t size = read(hands, data, sizeof data);
            if (size <= 0) return 0; /* whoever started it is gone */
            for (ssize_t i = 0; i < size; i++) on_hand((char)data[i]);
        }
        on_time();
    }
}
