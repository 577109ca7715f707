package dev.bluebell.softnic.engine;

import org.jspecify.annotations.Nullable;

/**
 * A turn that waits for a page of a client in its midst.
 *
 * @param client whose turn it is; null for a look at a place
 * @param work what has the turn; null when all of the client waits for it
 * @param memory whose page it waits for
 * @param scratch what the turn goes on with
 */
record SleepingTurn(
    @Nullable Client client, @Nullable Work work, Client memory, @Nullable Object scratch) {}
