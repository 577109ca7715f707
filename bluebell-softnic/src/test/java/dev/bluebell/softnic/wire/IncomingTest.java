package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rows of datagrams, as the kernel reports them. */
class IncomingTest {
  private static final Sender SENDER = new Sender(0, 1, 2);

  private static List<Integer> taken(Incoming in) {
    List<Integer> lengths = new ArrayList<>();
    while (!in.isEmpty()) {
      in.next();
      lengths.add(in.bytes());
    }
    return lengths;
  }

  @Test
  void aRowIsCutIntoItsPackets() {
    Incoming in = new Incoming();
    in.add(SENDER, 250, 100, 0);
    in.add(SENDER, 200, 100, 0);
    in.add(SENDER, 30, 0, 0);
    assertThat(taken(in)).containsExactly(100, 100, 50, 100, 100, 30);
    in.add(SENDER, 7, 0, 0);
    assertThat(taken(in)).containsExactly(7);
  }

  @Test
  void aTrafficClassIsThatOfAllPacketsOfItsRow() {
    Incoming in = new Incoming();
    in.add(SENDER, 250, 100, 0xc3);
    in.add(SENDER, 30, 0, 2);
    List<Integer> classes = new ArrayList<>();
    while (!in.isEmpty()) {
      in.next();
      classes.add(in.trafficClass());
    }
    assertThat(classes).containsExactly(0xc3, 0xc3, 0xc3, 2);
  }

  @Test
  void anEmptyDatagramIsOnePacket() {
    Incoming in = new Incoming();
    in.add(SENDER, 0, 0, 0);
    in.add(SENDER, 0, 5, 0);
    assertThat(taken(in)).containsExactly(0, 0);
  }

  @Test
  void anySizesStayInTheirRow() {
    long seed = Long.getLong("bluebell.network.seed", new Random().nextInt());
    Random random = new Random(seed);
    Incoming in = new Incoming();
    for (int round = 0; round < 1000; round++) {
      int expected = 0;
      for (int row = 0; row < Incoming.ROWS; row++) {
        int total = random.nextInt(Incoming.ROW_BYTES + 1);
        in.add(
            SENDER,
            total,
            random.nextInt(10) == 0 ? random.nextInt() : 1 + random.nextInt(70_000),
            0);
        expected += total;
      }
      assertThat(in.isFull()).isTrue();
      int seen = 0;
      while (!in.isEmpty()) {
        in.next();
        assertThat(in.at()).as("seed %d", seed).isGreaterThanOrEqualTo(48);
        assertThat(in.at() + in.bytes()).isLessThanOrEqualTo(in.buffer().capacity());
        seen += in.bytes();
      }
      assertThat(seen).as("seed %d", seed).isEqualTo(expected);
    }
  }

  /** Receives a row, with bytes before it, each of which says where it is. */
  private static void receive(Incoming in, int row, int bytes, int packetBytes) {
    for (int i = -40; i < bytes; i++) {
      in.buffer().put(Incoming.rowAt(row) + i, (byte) (50 * row + i));
    }
    in.add(new Sender(0, row, 2), bytes, packetBytes, row);
  }

  private static void expectNext(Incoming in, int row, int offset, int bytes, int before) {
    in.next();
    assertThat(in.sender().gidLow()).isEqualTo(row);
    assertThat(in.trafficClass()).isEqualTo(row);
    assertThat(in.bytes()).isEqualTo(bytes);
    for (int i = -before; i < bytes; i++) {
      assertThat(in.buffer().get(in.at() + i)).isEqualTo((byte) (50 * row + offset + i));
    }
  }

  @Test
  void theRestOfABatchMovesToAnotherWithTheBytesBeforeEachRow() {
    Incoming left = new Incoming();
    receive(left, 0, 250, 100);
    receive(left, 1, 100, 0);
    left.next();
    Incoming in = new Incoming();
    in.takeRest(left);
    expectNext(in, 0, 100, 100, 40);
    expectNext(in, 0, 200, 50, 0);
    expectNext(in, 1, 0, 100, 40);
    assertThat(in.isEmpty()).isTrue();
    assertThat(left.isEmpty()).isTrue();
    assertThat(left.isFull()).isFalse();
  }
}
