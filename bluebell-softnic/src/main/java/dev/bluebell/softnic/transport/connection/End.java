package dev.bluebell.softnic.transport.connection;

import dev.bluebell.softnic.queue.Chip;

/**
 * One end of a connection: what its requester and its responder share.
 *
 * @param chip the parts of the device
 * @param self the constant attributes of the queue pair or DC target
 * @param life its state
 * @param connection its peer, and the route there
 */
public record End(Chip chip, QpIdentity self, Lifecycle life, Connection connection) {}
