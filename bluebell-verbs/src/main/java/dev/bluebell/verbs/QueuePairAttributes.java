package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;
import java.util.Set;

/**
 * A queue pair as the device sees it.
 *
 * @param state its state
 * @param access rights of its peer: remote rights only
 * @param pathMtu largest packet payload in bytes
 * @param remoteGid GID of the peer; all zeros on InfiniBand without a global route
 * @param remoteLid LID of the peer on InfiniBand, 16 bits; 0 on Ethernet
 * @param remoteQpn number of the peer's queue pair, 24 bits
 * @param sendPsn sequence number of the next request packet, 24 bits
 * @param receivePsn sequence number of the next expected request packet, 24 bits
 * @param maxReads maximum number of outstanding READs and atomics as requester
 * @param responderResources maximum number of READs and atomics that it serves at a time
 * @param minRnrTimer code of the time that the peer waits when no receive is posted, 0 … 31
 * @param timeout acknowledge timeout, 4.096 µs · 2^timeout; 0 for infinite
 * @param retryCount retries after a timeout, 0 … 7
 * @param rnrRetry retries when the peer has no receive posted, 0 … 7; 7 for unlimited
 */
public record QueuePairAttributes(
    QueuePairState state,
    Set<Access> access,
    int pathMtu,
    Gid remoteGid,
    int remoteLid,
    int remoteQpn,
    int sendPsn,
    int receivePsn,
    int maxReads,
    int responderResources,
    int minRnrTimer,
    int timeout,
    int retryCount,
    int rnrRetry) {}
