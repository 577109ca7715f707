package dev.bluebell.lab.rxe;

import java.util.function.BiConsumer;

/**
 * An exchange of requests between two ends, with checks; each end may be on either of the two
 * devices.
 *
 * @param name name in the table
 * @param settings settings of the connection
 * @param body executes the exchange, given the end that posts the requests and its peer; throws
 *     {@link Disagreement}
 */
record Exchange(String name, Settings settings, BiConsumer<End, End> body) {}
