package dev.bluebell.server.remote;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A page fault that is not served stops only the client that owns the page. */
@Timeout(120)
class SlowPageTest {
  private static final int BYTES = 16;

  @TempDir Path folder;

  @Test
  void aPageFaultStopsThatClientAlone() throws IOException {
    Optional<Userfault> opened = Userfault.open();
    assumeTrue(opened.isPresent(), "userfaultfd is not allowed here");
    try (Host host = new Host(folder);
        Userfault pages = opened.get();
        Peer slow = new Peer(Device.open(host.name()), pages.memory());
        Peer slowPeer = new Peer(host.name(), Peer.Payload.SHARED);
        Peer left = new Peer(host.another(), Peer.Payload.SHARED);
        Peer right = new Peer(host.another(), Peer.Payload.SHARED)) {
      Peer.connect(slow, slowPeer);
      Peer.connect(left, right);
      pages.hold();
      slow.write(Userfault.PAGE, slowPeer.memory().address(), slowPeer.memory().rkey(), BYTES);
      pages.awaitFault();
      left.exchange(right, 1);
      pages.letCome();
      slow.awaitSuccess();
    }
  }

  @Test
  void aPageOfTheReceiverStopsTheReceiverAlone() throws IOException {
    Optional<Userfault> opened = Userfault.open();
    assumeTrue(opened.isPresent(), "userfaultfd is not allowed here");
    try (Host host = new Host(folder);
        Userfault pages = opened.get();
        Peer slow = new Peer(Device.open(host.name()), pages.memory());
        Peer toSlow = new Peer(host.another(), Peer.Payload.SHARED);
        Peer left = new Peer(host.another(), Peer.Payload.SHARED);
        Peer right = new Peer(host.another(), Peer.Payload.SHARED)) {
      Peer.connect(slow, toSlow);
      Peer.connect(left, right);
      pages.hold();
      toSlow.write(slow.memory().address() + Userfault.PAGE, slow.memory().rkey(), BYTES);
      pages.awaitFault();
      left.exchange(right, 2);
      pages.letCome();
      toSlow.awaitSuccess();
    }
  }
}
