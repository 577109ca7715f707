/**
 * The connection manager behind {@code /dev/infiniband/rdma_cm}. {@link
 * dev.bluebell.uverbs.cm.CmId} is an id, the two kinds of {@link dev.bluebell.uverbs.cm.End} are
 * its end of a connection, and {@link dev.bluebell.uverbs.cm.CmCalls} translates the commands. All
 * commands and arriving messages are handled under one lock, the {@link
 * dev.bluebell.uverbs.cm.ConnectionManager}.
 */
@NullMarked
package dev.bluebell.uverbs.cm;

import org.jspecify.annotations.NullMarked;
