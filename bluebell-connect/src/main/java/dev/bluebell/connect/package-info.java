/**
 * Connection management: one process listens, another connects, and the queue pairs of both are
 * then connected. The operations are those of RDMA CM (listen, accept, reject, connect,
 * disconnect); {@link dev.bluebell.connect.Connections#tcp} implements them over TCP, and {@link
 * dev.bluebell.connect.Connections#rdmaCm} by RDMA CM itself, also with applications in C.
 *
 * <p>Do not trust what a peer sends: it chooses private data and memory freely. Peers are not
 * authenticated; any process that reaches the port may request connections.
 */
@NullMarked
package dev.bluebell.connect;

import org.jspecify.annotations.NullMarked;
