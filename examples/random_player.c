/* A player in C for any game of Tablée: it takes a random legal action.

   cc -O2 -o mine examples/random_player.c
   tablee arena tablan greedy "cmd:./mine" --games 20
   tablee join http://127.0.0.1:8080/t/TABLE/join/INVITATION --player cmd:./mine

   docs/engine-protocol.md describes every line. Put your own cleverness into choose(): the board and the moves come in too. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST (1 << 20)

static uint64_t seed = 1;

/* xorshift64*: small, and the same on every machine. */
static uint64_t draw(uint64_t below) {
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (seed * 2685821657736338717ULL >> 11) % below;
}

/* Returns one of the tokens of a line "legal a6b6 b7c7 …". */
static const char *choose(char *legal) {
    static char copy[LONGEST];
    const char *chosen = "";
    uint64_t count = 0;
    strcpy(copy, legal);
    for (char *token = strtok(copy, " "); token; token = strtok(NULL, " "))
        if (draw(++count) == 0) /* each token is kept with the same odds */
            chosen = token;
    return chosen;
}

/* Returns what follows a word at the beginning of a line, or NULL. */
static char *after(char *line, const char *word) {
    size_t length = strlen(word);
    if (strncmp(line, word, length) || (line[length] && line[length] != ' '))
        return NULL;
    return line + length + (line[length] == ' ');
}

int main(void) {
    static char line[LONGEST], legal[LONGEST];
    char *rest;
    setvbuf(stdout, NULL, _IOLBF, 0); /* every answer at once, also through a pipe */
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (after(line, "tablee")) {
            puts("id name random in C\nid author the Tablée library\noption seed default 1\ntableeok");
        } else if ((rest = after(line, "setoption seed"))) {
            seed = strtoull(rest, NULL, 10) * 2 + 1; /* never 0, where xorshift would stay */
        } else if (after(line, "isready")) {
            puts("readyok");
        } else if ((rest = after(line, "legal"))) {
            strcpy(legal, rest);
        } else if (after(line, "go")) {
            printf("info nodes 0\nplay %s\n", choose(legal));
        } else if (after(line, "quit")) {
            break;
        }
    }
    return 0;
}
