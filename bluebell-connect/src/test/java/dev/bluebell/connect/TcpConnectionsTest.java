package dev.bluebell.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.test.TestDevice;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.RemoteMemory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections between processes over TCP. */
class TcpConnectionsTest extends ConnectionsSentences {
  private final TestDevice device = TestDevice.open();

  @AfterEach
  void closeDevice() {
    device.close();
  }

  @Override
  Device openNear() {
    return device.device();
  }

  @Override
  Device openFar() {
    return device.device();
  }

  @Override
  Connections connections(Device any) {
    return Connections.tcp();
  }

  @Override
  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  @Test
  void privateDataHaveTheirOwnLength() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaConnection mine = client().connect(near().queuePairs(), new Offer(new byte[3], List.of()));
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    assertThat(theirs.offer()).isEqualTo(new Offer(new byte[3], List.of()));
    mine.close();
    theirs.close();
    Future<?> unused =
        serve(
            () -> {
              next().reject((byte) 4, (byte) 2);
              return true;
            });
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> client().connect(near().queuePairs(), Offer.NOTHING))
        .satisfies(e -> assertThat(e.privateData()).containsExactly(4, 2));
  }

  @Test
  void bothEndsUseTheSmallerPathMtu() throws Exception {
    for (int[] mtus :
        new int[][] {{256, 1024, 256}, {1024, 512, 512}, {0, 512, 512}, {256, 0, 256}}) {
      ConnectOptions here = ConnectOptions.DEFAULT.withPathMtu(mtus[0]);
      ConnectOptions there = ConnectOptions.DEFAULT.withPathMtu(mtus[1]);
      Future<RdmaConnection> accepted =
          serve(() -> next().accept(far().queuePairs(), Offer.of(far().memory().remote()), there));
      RdmaConnection mine = client().connect(near().queuePairs(), Offer.NOTHING, here);
      RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
      assertThat(mine.queuePair().query().pathMtu()).isEqualTo(mtus[2]);
      assertThat(theirs.queuePair().query().pathMtu()).isEqualTo(mtus[2]);
      RemoteMemory remote = mine.offer().memory().getFirst();
      mine.queuePair().write(remote).gather(near().memory(), 0, 4096).signaled(1);
      mine.queuePair().ringDoorbell();
      near().expectSuccess(1);
      mine.close();
      theirs.close();
    }
  }

  @Test
  void anExplicitPathMtuIsLimitedByThePortsOfBothEnds() throws Exception {
    ConnectOptions options = ConnectOptions.DEFAULT.withPathMtu(4096);
    // Each has the GID of the other, which can be connected to, because no packet is sent.
    try (TestDevice usual = TestDevice.with().options("identity=7").open();
        TestDevice other = TestDevice.with().options("identity=7,mtu=1024").open();
        End large = new End(usual.device());
        End small = new End(other.device())) {
      for (boolean serverIsSmall : new boolean[] {true, false}) {
        End from = serverIsSmall ? large : small;
        End to = serverIsSmall ? small : large;
        Future<RdmaConnection> accepted =
            serve(() -> next().accept(to.queuePairs(), Offer.NOTHING, options));
        RdmaConnection mine = client().connect(from.queuePairs(), Offer.NOTHING, options);
        RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
        assertThat(mine.queuePair().query().pathMtu()).isEqualTo(1024);
        assertThat(theirs.queuePair().query().pathMtu()).isEqualTo(1024);
        mine.close();
        theirs.close();
      }
    }
  }

  @Test
  void aClientLearnsThatTheServerFailedAndNotWhy() throws Exception {
    Future<RdmaConnection> asked =
        serve(() -> client().connect(near().queuePairs(), Offer.NOTHING));
    ConnectionRequest request = next();
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(() -> request.accept(() -> null, Offer.NOTHING))
        .withMessageEndingWith(": the supplier of the queue pair returned null");
    assertThat(asked)
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .havingCause()
        .withMessage(
            "%s can't connect: it failed to accept the request; the exception that accept threw"
                + " there says why",
            server().address());
  }

  @Test
  void optionsHaveBounds() {
    TcpOptions options = TcpOptions.DEFAULT;
    assertThatIllegalArgumentException().isThrownBy(() -> options.withMaxPending(0));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withDeadline(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withKeepalive(Duration.ofDays(1)));
  }
}
