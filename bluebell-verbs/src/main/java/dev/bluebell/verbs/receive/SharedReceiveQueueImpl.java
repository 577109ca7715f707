package dev.bluebell.verbs.receive;

import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.command.SharedReceiveCommands;
import dev.bluebell.verbs.command.SharedReceiveShape;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Teardown;
import java.util.List;

/** Implements {@link SharedReceiveQueue}. */
public final class SharedReceiveQueueImpl extends ScatteringReceiveQueueImpl
    implements SharedReceiveQueue, SharedSource {
  public SharedReceiveQueueImpl(Domain domain, SharedReceiveShape shape) {
    super(
        domain,
        shape,
        new Kind("SRQ", SharedReceiveCommands::create, SharedReceiveCommands::limit),
        List.of(domain.lifetime()),
        new Teardown());
  }

  @Override
  public SharedReceives shared() {
    return new SharedReceives(device(), number(), lifetime(), ring());
  }
}
