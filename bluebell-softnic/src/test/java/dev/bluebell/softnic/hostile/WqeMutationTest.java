package dev.bluebell.softnic.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes one field of a valid WQE at random, except index and QPN. If the request fails, the
 * explanation names the field. The seed of a failed run is in its name.
 */
class WqeMutationTest {
  private static final int MUTATIONS = 250;
  private static final int BYTES = 4096;

  /**
   * A field of a WQE.
   *
   * @param name its name in explanations
   * @param bit from the start of the WQE, bit 0 being the highest of byte 0
   */
  private record Field(String name, int bit, int width) {

    void set(byte[] wqe, long value) {
      for (int i = 0; i < width; i++) {
        int at = bit + width - 1 - i;
        int mask = 0x80 >>> (at & 7);
        if ((value >>> i & 1) != 0) {
          wqe[at >> 3] |= (byte) mask;
        } else {
          wqe[at >> 3] &= (byte) ~mask;
        }
      }
    }

    long get(byte[] wqe) {
      long value = 0;
      for (int i = 0; i < width; i++) {
        value = value << 1 | wqe[bit + i >> 3] >>> (7 - (bit + i & 7)) & 1;
      }
      return value;
    }
  }

  private final Rig rig = Rigs.open();
  private final RawMemory local = rig.memory(BYTES).fill(1);
  private final RawMemory remote = rig.memory(BYTES).fill(2);
  private final RawMemory bystander = rig.memory(BYTES).fill(3);

  @AfterEach
  void nothingElseWasTouched() {
    local.expectCanaries();
    remote.expectCanaries();
    bystander.expectCanaries();
    assertThat(bystander.bytes()).isEqualTo(rig.memory(BYTES).fill(3).bytes());
    rig.close();
  }

  private static void addControl(List<Field> fields) {
    fields.add(new Field("opmod", 0, 8));
    fields.add(new Field("opcode", 24, 8));
    fields.add(new Field("ds", 58, 6));
    fields.add(new Field("fm_ce_se", 88, 8));
  }

  private static void addRemote(List<Field> fields) {
    fields.add(new Field("address", 128, 64));
    fields.add(new Field("rkey", 192, 32));
  }

  private static void addData(List<Field> fields, int segment) {
    fields.add(new Field("byte_count", 128 * segment, 32));
    fields.add(new Field("lkey", 128 * segment + 32, 32));
    fields.add(new Field("address", 128 * segment + 64, 64));
  }

  private Wqe valid(Random random, List<Field> fields) {
    addControl(fields);
    switch (random.nextInt(8)) {
      case 0 -> {
        addData(fields, 1);
        addData(fields, 2);
        return Wqe.send().data(local, 0, 100).data(local, 200, 300);
      }
      case 1 -> {
        addRemote(fields);
        addData(fields, 2);
        return Wqe.write(remote, 100).data(local, 0, 500);
      }
      case 2 -> {
        addRemote(fields);
        fields.add(new Field("byte_count", 256, 32));
        return Wqe.write(remote, 100).inline(new byte[40]);
      }
      case 3 -> {
        addRemote(fields);
        addData(fields, 2);
        addData(fields, 3);
        return Wqe.read(remote, 0).data(local, 0, 500).data(local, 1000, 500);
      }
      case 4 -> {
        addRemote(fields);
        addData(fields, 3);
        return Wqe.fetchAndAdd(remote, 8, 1).data(local, 8, 8);
      }
      case 5 -> {
        addRemote(fields);
        addData(fields, 3);
        return new Wqe(WqeOpcode.ATOMIC_CS)
            .remote(remote.address(8), remote.key())
            .words(1, 2)
            .data(local, 8, 8);
      }
      case 6 -> {
        addRemote(fields);
        addData(fields, 2);
        return new Wqe(WqeOpcode.RDMA_WRITE_IMM)
            .remote(remote.address(0), remote.key())
            .data(local, 0, 64);
      }
      default -> {
        return Wqe.nop();
      }
    }
  }

  private static long mutated(Random random, Field field, long old) {
    long mask = field.width() == 64 ? -1 : (1L << field.width()) - 1;
    long value =
        switch (random.nextInt(5)) {
          case 0 -> old ^ 1L << random.nextInt(field.width());
          case 1 -> old + random.nextInt(9) - 4;
          case 2 -> old + (random.nextBoolean() ? BYTES : -BYTES);
          case 3 -> random.nextBoolean() ? 0 : mask;
          default -> random.nextLong();
        };
    return value & mask;
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theExplanationNamesTheFieldThatWasChanged(long seed) {
    Random random = new Random(seed);
    int failures = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      failures += mutate(random) ? 1 : 0;
    }
    assertThat(failures).isGreaterThan(MUTATIONS / 5);
  }

  /** Changes one field of a WQE of a new queue pair; true when the request failed. */
  private boolean mutate(Random random) {
    RawPair pair = rig.pair(new Settings().rnrRetry(1));
    pair.right().receive(remote.address(0), 400, remote.key());
    List<Field> fields = new ArrayList<>();
    int index = pair.left().write(valid(random, fields));
    // The following bytes of the ring are older ones, into which a lengthened WQE extends.
    byte[] wqe = new byte[64];
    for (int i = 0; i < 64; i++) {
      wqe[i] = Memory.getByte(pair.left().wqebb(index) + i);
    }
    Field field = fields.get(random.nextInt(fields.size()));
    long old = field.get(wqe);
    long value = mutated(random, field, old);
    field.set(wqe, value);
    pair.left().writeBytes(index, wqe);
    pair.left().writeRecord();
    pair.left().ring(ControlSegment.first(0, index, 0, pair.left().number(), 1));
    rig.settle();
    for (int i = 0; i < 3; i++) {
      rig.pass(100_000_000);
    }
    List<RawCqe> done = pair.left().sends().poll();
    boolean failed = !done.isEmpty() && done.getFirst().isError();
    if (failed) {
      assertThat(done.getFirst().explanation())
          .as("%s changed from 0x%x to 0x%x", field.name(), old, value)
          .contains(field.name());
    }
    close(pair);
    return failed;
  }

  private static void close(RawPair pair) {
    pair.left().expectCanaries();
    pair.right().expectCanaries();
    pair.left().object().close();
    pair.right().object().close();
    pair.left().sends().object().close();
    pair.right().sends().object().close();
  }
}
