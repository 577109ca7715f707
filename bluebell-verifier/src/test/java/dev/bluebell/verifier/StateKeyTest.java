package dev.bluebell.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StateKeyTest {
  private static final ChainText CHAIN =
      ChainText.parse(
          """
          memory flag key=0x100 address=0x1000 bytes=1
          memory data key=0x200 address=0x2000 bytes=1
          relies flag after data
          queue q qpn=0x40
          """);

  private static Path start() {
    Numbers numbers = new Numbers(new Counters(1, 1));
    return new Path(CHAIN.image(), Set.of(), CHAIN.reliance(), new HashSet<>(), numbers);
  }

  /** Writes a byte by a request that is over before anything else begins. */
  private static void write(Path path, int place) {
    Actor who = new Actor("WQE 0 of queue 0x40 (q)", "RDMA_WRITE");
    path.access(new Span(who, path.start, 0, 0).access(Access.Kind.WRITE, place, 1));
  }

  @Test
  void aStateWithAWrittenFlagIsNotTheSameWithoutIt() {
    Path without = start();
    Path with = start();
    write(with, with.layout.place(CHAIN.image().regions().getFirst()));
    assertThat(StateKey.of(with)).isNotEqualTo(StateKey.of(without));
    write(without, without.layout.place(CHAIN.image().regions().get(1)));
    assertThat(StateKey.of(without)).isEqualTo(StateKey.of(start()));
  }
}
