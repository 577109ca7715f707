package dev.bluebell.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.RemoteMemory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections between two clients of one device process, by its connection manager. */
class RdmaCmConnectionsTest extends RdmaCmSentences {
  @Override
  List<String> devices() {
    return List.of("");
  }

  @Override
  InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", 0);
  }

  private static byte[] counted(int bytes) {
    byte[] data = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      data[i] = (byte) (i + 1);
    }
    return data;
  }

  @Test
  void privateDataFillTheirMessages() throws Exception {
    Future<RdmaConnection> accepted =
        serve(() -> next().accept(far().queuePairs(), new Offer(counted(196), List.of())));
    RdmaConnection mine = client().connect(near().queuePairs(), new Offer(counted(56), List.of()));
    assertThat(mine.offer().privateData()).isEqualTo(counted(196));
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    assertThat(theirs.offer().privateData()).isEqualTo(counted(56));
    mine.close();
    theirs.close();
    Future<?> rejected =
        serve(
            () -> {
              next().reject(counted(148));
              return true;
            });
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> client().connect(near().queuePairs(), Offer.NOTHING))
        .satisfies(e -> assertThat(e.privateData()).isEqualTo(counted(148)));
    rejected.get(30, TimeUnit.SECONDS);
  }

  @Test
  void memoryAndPrivateDataShareTheRoomOfAMessage() throws Exception {
    RemoteMemory memory = near().memory().remote();
    Offer most = new Offer(counted(2), List.of(memory, memory.slice(1, 2)));
    Future<RdmaConnection> accepted = acceptNext();
    RdmaConnection mine = client().connect(near().queuePairs(), most);
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    assertThat(theirs.offer()).isEqualTo(most);
    mine.close();
    theirs.close();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> client().connect(near().queuePairs(), new Offer(counted(3), most.memory())))
        .withMessageContaining("take 57 bytes, and a message of RDMA CM has room for 56 here");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1", "0.0.0.0", "::"})
  void aServerListensAtAddressesOfBothVersions(String host) throws Exception {
    server().close();
    try (RdmaServer other =
        connections(far().device()).listen(new InetSocketAddress(InetAddress.getByName(host), 0))) {
      InetAddress goal = InetAddress.getByName(host.contains(":") ? "::1" : "127.0.0.1");
      Future<RdmaConnection> accepted =
          serve(() -> other.next(PATIENCE).accept(far().queuePairs(), Offer.NOTHING));
      RdmaConnection mine =
          connections(near().device())
              .client(new InetSocketAddress(goal, other.address().getPort()))
              .connect(near().queuePairs(), Offer.NOTHING);
      RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
      assertThat(theirs.peer().getAddress()).isEqualTo(goal);
      mine.queuePair().nop().signaled(1);
      mine.queuePair().ringDoorbell();
      near().expectSuccess(1);
      mine.close();
      assertThat(ending(theirs)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
      theirs.close();
    }
  }

  @Test
  void aPortHasOneServer() {
    assertThatIOException()
        .isThrownBy(() -> connections(near().device()).listen(server().address()))
        .withMessageContaining("the port is in use (EADDRINUSE)");
    assertThatIOException()
        .isThrownBy(
            () -> connections(near().device()).listen(new InetSocketAddress("192.0.2.1", 0)))
        .withMessageContaining("no RDMA device has the address (EADDRNOTAVAIL)");
  }

  @Test
  void anUnusedAddressIsUnreachable() {
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(
            () ->
                connections(near().device())
                    .client(new InetSocketAddress("192.0.2.1", 7))
                    .connect(near().queuePairs(), Offer.NOTHING))
        .withMessageContaining("can't be reached: RDMA_CM_EVENT_ADDR_ERROR, status -19");
    near().expectNoQueuePairs();
  }

  @Test
  void aClientDoesNotWaitForAnAnswerLongerThanTheDeadline() {
    Connections hasty =
        Connections.rdmaCm(
            near().device(), RdmaCmOptions.DEFAULT.withDeadline(Duration.ofMillis(50)));
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(
            () -> hasty.client(server().address()).connect(near().queuePairs(), Offer.NOTHING))
        .withMessageContaining("no answer in time");
    near().expectNoQueuePairs();
  }

  @Test
  void aRequestWhoseClientGaveUpCannotBeAccepted() throws Exception {
    aClientDoesNotWaitForAnAnswerLongerThanTheDeadline();
    ConnectionRequest request = next();
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(() -> request.accept(far().queuePairs(), Offer.NOTHING))
        .withMessageContaining("no longer has this connection");
    far().expectNoQueuePairs();
  }

  @Test
  void aServerHoldsNoMoreRequestsThanItShould() throws Exception {
    Connections small = Connections.rdmaCm(far().device(), RdmaCmOptions.DEFAULT.withMaxPending(1));
    try (RdmaServer other = small.listen(address())) {
      RdmaClient client = connections(near().device()).client(other.address());
      Future<RdmaConnection> first =
          serve(() -> client.connect(near().queuePairs(), Offer.NOTHING));
      ConnectionRequest held = other.next(PATIENCE);
      assertThatExceptionOfType(ConnectionException.class)
          .isThrownBy(() -> client.connect(near().queuePairs(), Offer.NOTHING))
          .withMessageContaining("for now")
          .isNotInstanceOf(RejectedException.class);
      RdmaConnection theirs = held.accept(far().queuePairs(), Offer.NOTHING);
      first.get(30, TimeUnit.SECONDS).close();
      theirs.close();
    }
  }

  @Test
  void requestsOfAServerThatClosesAreRejected() throws Exception {
    Future<RdmaConnection> asked =
        serve(() -> client().connect(near().queuePairs(), Offer.NOTHING));
    ConnectionRequest returned = next();
    Future<RdmaConnection> queued =
        serve(() -> client().connect(near().queuePairs(), Offer.NOTHING));
    returned.reject();
    assertThat(asked)
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(RejectedException.class);
    server().close();
    assertThat(queued)
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(ConnectionException.class);
    near().expectNoQueuePairs();
  }

  @Test
  void aRequestThatNoThreadHasReadWhenItsServerClosesIsNoRejection() throws Exception {
    HeldEvents events = new HeldEvents(process().device());
    try (Device other = Device.over(events)) {
      RdmaServer closing = connections(other).listen(address());
      RdmaClient client = connections(near().device()).client(closing.address());
      Future<RdmaConnection> asked =
          serve(() -> client.connect(near().queuePairs(), Offer.NOTHING));
      events.awaitHeld();
      closing.close();
      assertThat(asked)
          .failsWithin(PATIENCE)
          .withThrowableThat()
          .havingCause()
          .isNotInstanceOf(RejectedException.class)
          .withMessageContaining("for now");
    } finally {
      events.let();
    }
  }

  @Test
  void closingADeviceEndsItsConnections() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaConnection mine = client().connect(near().queuePairs(), Offer.NOTHING);
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    near().close();
    assertThat(ending(mine)).isEqualTo(Ending.LOST);
    assertThat(ending(theirs)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
  }

  @Test
  void aReconnectionOnAClosedDeviceFailsHere() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaClient client = client();
    RdmaConnection first = client.connect(near().queuePairs(), Offer.NOTHING);
    accepted.get(30, TimeUnit.SECONDS).close();
    near().close();
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(() -> client.reconnect(first, Duration.ofSeconds(1)))
        .withMessageStartingWith("can't connect to %s: ", server().address());
  }

  @Test
  void handingADeviceOverEndsAllItsConnections() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaConnection first = client().connect(near().queuePairs(), Offer.NOTHING);
    accepted.get(30, TimeUnit.SECONDS);
    accepted = acceptNext();
    RdmaConnection second = client().connect(near().queuePairs(), Offer.NOTHING);
    accepted.get(30, TimeUnit.SECONDS);
    long unused = near().device().handOver("left");
    assertThat(ending(first)).isEqualTo(Ending.LOST);
    assertThat(ending(second)).isEqualTo(Ending.LOST);
  }

  @Test
  void theEndOfTheDeviceProcessEndsServersAndConnections() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaConnection mine = client().connect(near().queuePairs(), Offer.NOTHING);
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    Future<ConnectionRequest> waiting = serve(() -> server().next(PATIENCE));
    process().end();
    assertThat(ending(mine)).isIn(Ending.LOST, Ending.DISCONNECTED_BY_PEER);
    assertThat(ending(theirs)).isIn(Ending.LOST, Ending.DISCONNECTED_BY_PEER);
    assertThat(waiting)
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(ClosedException.class);
  }

  @Test
  @Tag("slow")
  void connectionsThatEndedLeaveNoIds() throws Exception {
    for (int i = 0; i < 3; i++) {
      Future<RdmaConnection> accepted = acceptNext();
      RdmaConnection mine = client().connect(near().queuePairs(), Offer.NOTHING);
      accepted.get(30, TimeUnit.SECONDS).close();
      assertThat(ending(mine)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
      mine.close();
    }
    server().close();
    process().expectNoIds();
  }

  @Test
  void optionsOfThePathAreTheConnectionManagersOwn() {
    for (ConnectOptions options :
        Arrays.asList(
            ConnectOptions.DEFAULT.withPathMtu(256),
            ConnectOptions.DEFAULT.withTrafficClass(1),
            ConnectOptions.DEFAULT.withServiceLevel(1),
            ConnectOptions.DEFAULT.withGlobalRoute(true))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> client().connect(near().queuePairs(), Offer.NOTHING, options))
          .withMessageContaining("RDMA CM chooses the path");
    }
  }

  @Test
  void optionsHaveBounds() {
    RdmaCmOptions options = RdmaCmOptions.DEFAULT;
    assertThatIllegalArgumentException().isThrownBy(() -> options.withMaxPending(0));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withMaxPending(1025));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withDeadline(Duration.ZERO));
  }

  @Test
  void anEmbeddedDeviceHasNoConnectionManager() {
    try (Device alone = Device.open("soft")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Connections.rdmaCm(alone))
          .withMessageContaining("open that of a device process (socket:PATH");
    }
  }
}
