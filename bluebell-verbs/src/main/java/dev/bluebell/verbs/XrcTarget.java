package dev.bluebell.verbs;

import java.util.List;

/**
 * The receiving end of an extended reliable connection (XRC target): it has no queue, and takes the
 * requests of one {@link XrcInitiator} for the shared receive queues of its domain. Completions are
 * those of these queues and carry its number. Mirrors {@code verbs.h: IBV_QPT_XRC_RECV}.
 *
 * <p>Thread-safe.
 */
public final class XrcTarget extends TargetQueuePair {

  /** Makes a target and moves it to INIT. */
  XrcTarget(XrcDomain domain, ConnectionSettings settings) {
    super(
        domain.device(),
        settings,
        domain.createTarget(),
        new Teardown(),
        List.of(domain.lifetime()));
  }
}
