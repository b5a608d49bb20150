/* Random Traboulet by hand in C: the measure for the compiled Python. Rules: the default options of rules.en.md.
 *
 * cc -O3 -march=native traboulet.c -o traboulet && ./traboulet GAMES SEED
 * prints: games pushes seconds white-wins black-wins draws (pushes count the stops after a capture too).
 *
 * Nothing is held back: sets of cells in words (bit 8 * rank + file, the eighth file stays empty), a shift by a variable
 * instead of a branch on the direction, popcnt and pdep to take the k-th legal push without a list, and two small filters
 * that make looking through the history rare. `self_test` counts the step sequences of length 1, 2, 3 first.
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t Set;

#define FILE_A 0x01010101010101ULL
#define FILE_G 0x40404040404040ULL
#define RANK_1 0x7FULL
#define RANK_7 0x7F000000000000ULL
#define BOARD 0x7F7F7F7F7F7F7FULL

enum { RIGHT, UP, LEFT, DOWN };
enum { GOES_ON = -2, DRAW = -1 };
enum { REMEMBERED = 4096 };

static const int FORWARD[4] = {1, 8, 0, 0}, BACKWARD[4] = {0, 0, 1, 8};
static const Set EDGE[4] = {FILE_G, RANK_7, FILE_A, RANK_1};

typedef struct { Set own, other; uint64_t ban; } Start;

typedef struct {
    Set own, other, red;  /* own: the marbles of the side to move */
    Set legal[4];
    Set ban;              /* one cell, or none */
    int ban_way, side, bonus, result;
    int taken[2];         /* reds, by side */
    int remembered;       /* starts of turns since the last capture */
    uint64_t once, twice; /* filters: what was there once, twice, perhaps */
    Start history[REMEMBERED];
} Position;

static inline Set shift(Set set, int way, int by) {
    return set << (FORWARD[way] * by) >> (BACKWARD[way] * by);
}

/* The legal pushes: room behind (2.2), no own marble over the edge (2.4), not straight back (3.1). */
static inline int find(Position *p) {
    Set own = p->own, filled = own | p->other | p->red;
    Set two = filled & filled >> 1, four = two & two >> 2;
    Set end = own & FILE_G;
    end |= filled & end >> 1, end |= two & end >> 2, end |= four & end >> 4;
    p->legal[RIGHT] = own & ~(filled << 1) & ~end;
    end = own & FILE_A;
    end |= filled & end << 1, end |= two << 1 & end << 2, end |= four << 3 & end << 4;
    p->legal[LEFT] = own & ~(filled >> 1) & ~end;
    two = filled & filled >> 8, four = two & two >> 16;
    end = own & RANK_7;
    end |= filled & end >> 8, end |= two & end >> 16, end |= four & end >> 32;
    p->legal[UP] = own & ~(filled << 8) & ~end;
    end = own & RANK_1;
    end |= filled & end << 8, end |= two << 8 & end << 16, end |= four << 24 & end << 32;
    p->legal[DOWN] = own & ~(filled >> 8) & ~end;
    int weighs = (p->legal[p->ban_way] & p->ban) != 0;
    p->legal[p->ban_way] &= ~p->ban;
    return weighs;
}

static inline int any(const Position *p) {
    return (p->legal[0] | p->legal[1] | p->legal[2] | p->legal[3]) != 0;
}

static void begin_turn(Position *p, Set ban, int ban_way) {
    Set own = p->own;
    p->own = p->other, p->other = own;
    p->side ^= 1, p->bonus = 0, p->ban = ban, p->ban_way = ban_way;
    int weighs = find(p);
    if (!any(p)) { /* 5.2 */
        p->result = p->side ^ 1;
        return;
    }
    Start now = {p->own | p->red, p->other | p->red, weighs ? ban | (Set)ban_way << 60 : 0};
    uint64_t hash = (now.own * 0x9E3779B97F4A7C15ULL + now.other) * 0xD6E8FEB86659FD93ULL;
    uint64_t bit = 1ULL << (hash >> 58);
    if (p->twice & bit) { /* 5.3 */
        int seen = 1;
        for (int k = p->remembered - 4; k >= 0; k -= 2) {
            const Start *then = &p->history[k];
            if (then->own == now.own && then->other == now.other && then->ban == now.ban && ++seen == 3) {
                p->result = DRAW;
                return;
            }
        }
    }
    p->twice |= p->once & bit;
    p->once |= bit;
    if (p->remembered == REMEMBERED) abort();
    p->history[p->remembered++] = now;
}

static void push(Position *p, int way, Set marble) {
    Set filled = p->own | p->other | p->red, run = filled, line = marble;
    line |= run & shift(line, way, 1), run &= shift(run, way, 1);
    line |= run & shift(line, way, 2), run &= shift(run, way, 2);
    line |= run & shift(line, way, 4);
    Set falling = line & EDGE[way], moving = line ^ falling;
    Set red = p->red;
    p->own = (p->own & ~line) | shift(p->own & moving, way, 1);
    p->other = (p->other & ~line) | shift(p->other & moving, way, 1);
    p->red = (red & ~line) | shift(red & moving, way, 1);
    if (!falling) {
        begin_turn(p, shift(moving, way, 1) & ~filled & p->other, way ^ 2);
        return;
    }
    p->remembered = 0, p->once = p->twice = 0;
    if (red & falling) {
        if (++p->taken[p->side] == 7) { /* 5.1 */
            p->result = p->side;
            return;
        }
    } else if (!p->other) { /* 5.2 */
        p->result = p->side;
        return;
    }
    p->bonus = 1; /* 4.1 */
    find(p);
    if (!any(p)) begin_turn(p, 0, 0); /* 4.2 */
}

static Position start(void) {
    static const char *rows[7] = {"bb...ww", "bb.r.ww", "..rrr..", ".rrrrr.", "..rrr..", "ww.r.bb", "ww...bb"};
    Position p = {.side = 1, .result = GOES_ON};
    for (int rank = 0; rank < 7; rank++)
        for (int file = 0; file < 7; file++) {
            Set cell = 1ULL << (8 * rank + file);
            if (rows[rank][file] == 'w') p.other |= cell;
            if (rows[rank][file] == 'b') p.own |= cell;
            if (rows[rank][file] == 'r') p.red |= cell;
        }
    begin_turn(&p, 0, 0);
    return p;
}

static inline void copy(Position *to, const Position *from) {
    __builtin_memcpy(to, from, offsetof(Position, history));
    for (int k = 0; k < from->remembered; k++) to->history[k] = from->history[k];
}

static uint64_t random_state;

static inline uint32_t random_word(void) {
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return random_state >> 32;
}

/* One step: a legal push, or the end of the turn, each as likely as any other. */
static inline void step(Position *p) {
    int right = _mm_popcnt_u64(p->legal[0]), up = right + _mm_popcnt_u64(p->legal[1]);
    int left = up + _mm_popcnt_u64(p->legal[2]), down = left + _mm_popcnt_u64(p->legal[3]);
    int k = (int)((uint64_t)random_word() * (uint64_t)(down + p->bonus) >> 32);
    if (k == down) {
        begin_turn(p, 0, 0);
        return;
    }
    int way = (k >= right) + (k >= up) + (k >= left);
    int before = way == 0 ? 0 : way == 1 ? right : way == 2 ? up : left;
    push(p, way, _pdep_u64(1ULL << (k - before), p->legal[way]));
}

static long sequences(const Position *p, int length) {
    if (length == 0 || p->result != GOES_ON) return length == 0;
    long n = 0;
    static Position after[8];
    Position *next = &after[length];
    for (int way = 0; way < 4; way++)
        for (Set set = p->legal[way]; set; set &= set - 1) {
            copy(next, p);
            push(next, way, set & -set);
            n += sequences(next, length - 1);
        }
    if (p->bonus) {
        copy(next, p);
        begin_turn(next, 0, 0);
        n += sequences(next, length - 1);
    }
    return n;
}

int main(int count, char **given) {
    long games = count > 1 ? atol(given[1]) : 10000;
    random_state = count > 2 ? strtoull(given[2], 0, 10) : 1;
    static Position first, p;
    first = start();
    if (sequences(&first, 1) != 8 || sequences(&first, 2) != 64 || sequences(&first, 3) != 640) {
        fprintf(stderr, "traboulet.c: wrong number of step sequences\n");
        return 1;
    }
    long steps = 0, results[3] = {0};
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    for (long game = 0; game < games; game++) {
        for (copy(&p, &first); p.result == GOES_ON; steps++) step(&p);
        results[p.result + 1]++;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    double seconds = (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
    printf("%ld %ld %.6f %ld %ld %ld\n", games, steps, seconds, results[1], results[2], results[0]);
    return 0;
}
