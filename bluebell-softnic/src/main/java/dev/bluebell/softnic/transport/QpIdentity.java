package dev.bluebell.softnic.transport;

import dev.bluebell.hca.wqe.ServiceType;

/**
 * What never changes about a queue pair.
 *
 * @param number QPN, 24 bits
 * @param pd protection domain, which the keys in its requests must belong to
 * @param userIndex what its completions name it by
 */
record QpIdentity(int number, ServiceType service, int pd, int userIndex) {}
