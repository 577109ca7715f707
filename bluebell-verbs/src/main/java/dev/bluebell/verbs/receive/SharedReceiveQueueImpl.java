package dev.bluebell.verbs.receive;

import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.command.ReceiveEntries;
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
        new Kind() {
          @Override
          public String name() {
            return "SRQ";
          }

          @Override
          public byte[] create(ReceiveEntries entries) {
            return SharedReceiveCommands.create(entries);
          }

          @Override
          public byte[] limit(int number, int limit) {
            return SharedReceiveCommands.limit(number, limit);
          }
        },
        List.of(domain.lifetime()),
        new Teardown());
  }

  @Override
  public SharedReceives shared() {
    return new SharedReceives(device(), number(), lifetime(), ring());
  }
}
