package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.QueuePairEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java clients of a device process whose device has an InfiniBand port. */
class InfiniBandTest {
  @TempDir Path folder;
  private Host host;

  @BeforeEach
  void openHost() throws IOException {
    host = new Host(folder, SoftNicOptions.parse("link=infiniband,lmc=2"));
  }

  @AfterEach
  void closeHost() throws IOException {
    host.close();
  }

  @Test
  void twoClientsConnectByLid() throws InterruptedException {
    try (Peer left = new Peer(host.name(), Peer.Payload.FOREIGN);
        Peer right = new Peer(host.name(), Peer.Payload.SHARED)) {
      HcaPort port = left.device().port(1);
      assertThat(port.linkLayer()).isEqualTo(LinkLayer.INFINIBAND);
      assertThat(port.lmc()).isEqualTo(2);
      assertThat(right.queuePair().endpoint().lid()).isEqualTo(port.lid());
      Peer.connect(left, right);
      left.write(right.memory().address(), right.memory().rkey(), 64);
      left.awaitSuccess();
    }
  }

  @Test
  void aClientThatComesLaterJoinsAQueuePair() throws InterruptedException {
    Peer server = new Peer(host.name(), Peer.Payload.SHARED);
    long address = server.memory().address();
    int rkey = server.memory().rkey();
    var unused = server.device().handOver("mailbox", server.queuePair().endpoint().toString());
    server.close();
    try (Peer client = new Peer(host.name(), Peer.Payload.SHARED)) {
      String notice = client.device().residents().orElseThrow().notice("mailbox");
      QueuePairEndpoint seat = QueuePairEndpoint.parse(notice);
      assertThat(seat.lid()).isEqualTo(client.device().port(1).lid());
      client.device().join("mailbox", seat, client.queuePair().endpoint());
      client.queuePair().connect(seat);
      client.write(address, rkey, 64);
      client.awaitSuccess();
      client.device().residents().orElseThrow().forceRemove("mailbox");
    }
  }
}
