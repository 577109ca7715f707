package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.cqe.Cqe;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Sources of datagrams as text. */
class SourceViewTest {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

  private static SourceView source(LinkLayer layer, long path, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment entry = arena.allocate(64, 64);
      entry.set(WORD, Cqe.PATH_WORD, path);
      entry.set(WORD, Cqe.FLAGS_RQPN_WORD, (long) flags << 32);
      SourceView source = new SourceView();
      source.readAs(layer);
      source.load(entry.address());
      return source;
    }
  }

  @Test
  void onEthernetTheTextHasTheQueuePairAndTheHeader() {
    int flags = Cqe.datagramFlags(Cqe.L3_IPV4, 0x123);
    assertThat(source(LinkLayer.ETHERNET, 0, flags)).hasToString("QP 0x123, header IPV4");
  }

  @Test
  void onInfiniBandTheTextHasThePathToo() {
    int flags = Cqe.infiniBandFlags(false, 3, 0x123);
    assertThat(source(LinkLayer.INFINIBAND, Cqe.pathWord(1, 0x20), flags))
        .hasToString("QP 0x123, LID 0x20, service level 3, path bits 1, header NONE");
  }
}
