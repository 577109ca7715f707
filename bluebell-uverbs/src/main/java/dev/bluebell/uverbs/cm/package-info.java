/**
 * The connection manager: what {@code /dev/infiniband/rdma_cm} is for applications. {@link
 * dev.bluebell.uverbs.cm.CmId} is an id, the two kinds of {@link dev.bluebell.uverbs.cm.End} are
 * what it has of a connection, and {@link dev.bluebell.uverbs.cm.CmCalls} translates the commands.
 * Everything that can be asked for or arrive happens under one lock, the {@link
 * dev.bluebell.uverbs.cm.ConnectionManager}.
 */
@NullMarked
package dev.bluebell.uverbs.cm;

import org.jspecify.annotations.NullMarked;
