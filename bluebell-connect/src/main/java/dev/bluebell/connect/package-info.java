/**
 * How programs find each other: one listens, another connects, and both have a queue pair that is
 * connected to the other's. The interfaces are those that RDMA CM has (listen, accept, reject,
 * connect, disconnect); {@link dev.bluebell.connect.Connections#tcp} does it over TCP.
 *
 * <p>What comes from a peer is not to be trusted: private data and memory are what the peer says.
 * Nothing here knows who the peer is; whoever reaches the port may ask.
 */
@NullMarked
package dev.bluebell.connect;

import org.jspecify.annotations.NullMarked;
