package dev.bluebell.softnic.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A suspended turn, which waits for a page of a client.
 *
 * @param client the client whose turn it is; null while polling, and for work that has other turns
 *     meanwhile
 * @param work the work that has the turn; null when the whole client waits
 * @param memory the client whose page it waits for
 * @param scratch the working memory that the turn resumes with
 */
record SleepingTurn(
    @Nullable Client client, @Nullable Work work, Client memory, List<Object> scratch) {}
