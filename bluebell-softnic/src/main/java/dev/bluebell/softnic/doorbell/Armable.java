package dev.bluebell.softnic.doorbell;

import dev.bluebell.softnic.queue.CompletionQueue;

/**
 * A completion queue that doorbells arm.
 *
 * @param page the page that its doorbells ring on
 */
record Armable(CompletionQueue queue, PageWatch page) {}
