package dev.bluebell.connect.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.connect.Ending;
import dev.bluebell.connect.Offer;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The end of a connection, as its users see it. */
class EndingConnectionTest {
  private final List<String> seen = new ArrayList<>();
  private final Connection connection = new Connection();

  /** A connection of which only the end is real; its queue pair notes each call. */
  private final class Connection extends EndingConnection {
    Connection() {
      super(
          (RcQueuePair)
              Proxy.newProxyInstance(
                  RcQueuePair.class.getClassLoader(),
                  new Class<?>[] {RcQueuePair.class},
                  (proxy, method, arguments) -> {
                    note(method.getName());
                    return null;
                  }),
          Offer.NOTHING,
          new InetSocketAddress(0));
    }

    @Override
    public void disconnect() {
      if (begin()) {
        note("begin");
        toError();
        complete(Ending.DISCONNECTED_HERE);
      }
    }
  }

  private void note(String what) {
    seen.add(what + (connection.isOpen() ? ": open" : ": ended"));
  }

  @Test
  void aConnectionIsOpenUntilItsQueuePairIsInTheErrorStateAndItsEndIsKnown() {
    var unused = connection.ended().thenRun(() -> note("action"));
    connection.disconnect();
    assertThat(seen).containsExactly("begin: open", "toError: open", "action: ended");
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void aConnectionStaysOpenWhenACallerCompletesTheFuture() {
    connection.ended().cancel(false);
    assertThat(connection.isOpen()).isTrue();
    connection.disconnect();
    assertThat(connection.isOpen()).isFalse();
  }
}
