package dev.bluebell.softnic.engine;

import org.jspecify.annotations.Nullable;

/**
 * A turn that waits for a page of a program in its midst.
 *
 * @param program whose turn it is; null for a look at a place
 * @param work what has the turn; null when all of the program waits for it
 * @param memory whose page it waits for
 * @param scratch what the turn goes on with
 */
record SleepingTurn(
    @Nullable Program program, @Nullable Work work, Program memory, @Nullable Object scratch) {}
