package dev.bluebell.softnic.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawKey;
import dev.bluebell.softnic.rig.RawMemic;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes one field of a valid command at random, except the number of its object. If the command
 * is refused, the refusal names the field. The seed of a failed run is in its name.
 */
class CommandMutationTest {
  private static final int MUTATIONS = 400;
  private static final int OBJECT_NUMBER_BIT = 0x48;

  /** A field of a command or of a structure inside it, at its place in the whole. */
  private record Place(Field field, int bit) {

    boolean overlaps(Place other) {
      return bit < other.bit + other.field.width() && other.bit < bit + field.width();
    }
  }

  /** A valid command, and its executor. */
  private record Call(View command, Function<byte[], Object> target) {}

  private final Rig rig = Rigs.open();
  private final RawMemory memory = rig.memory(4096);
  private final HcaUmem umem = rig.nic().registerUmem(memory.segment());
  private final RawCq cq = rig.cq(4);
  private final RawMemic memic = new RawMemic(rig, 256);
  private final RawPool pool = new RawPool(rig, false, 3);
  private final RawXrcSrq srq = new RawXrcSrq(rig, RawXrcSrq.domain(rig));

  @AfterEach
  void close() {
    memory.expectCanaries();
    cq.expectCanaries();
    pool.expectCanaries();
    srq.expectCanaries();
    memic.expectCanaries();
    rig.close();
  }

  private Call valid(Random random) {
    Settings settings = new Settings();
    switch (random.nextInt(14)) {
      case 0 -> {
        return new Call(cq.command(), rig.nic()::create);
      }
      case 1 -> {
        return new Call(RawKey.command(rig, umem, memory), rig.nic()::create);
      }
      case 2 -> {
        return new Call(pool.command(), rig.nic()::create);
      }
      case 3 -> {
        return new Call(pool.limit(3), pool.object()::modify);
      }
      case 4 -> {
        return new Call(rig.qp(cq).command(), rig.nic()::create);
      }
      case 5 -> {
        RawQp qp = rig.qp(cq);
        return new Call(settings.toInit(qp.number()), qp.object()::modify);
      }
      case 6 -> {
        RawQp qp = rig.qp(cq);
        qp.object().modify(settings.toInit(qp.number()).bytes());
        return new Call(settings.toRtr(qp.number(), 1), qp.object()::modify);
      }
      case 7 -> {
        RawQp qp = rig.qp(cq);
        qp.object().modify(settings.toInit(qp.number()).bytes());
        qp.object().modify(settings.toRtr(qp.number(), 1).bytes());
        return new Call(settings.toRts(qp.number()), qp.object()::modify);
      }
      case 8 -> {
        return new Call(RawMemic.command(128), rig.nic()::create);
      }
      case 9 -> {
        return new Call(memic.key(64, 128), rig.nic()::create);
      }
      case 10 -> {
        return new Call(srq.command(), rig.nic()::create);
      }
      case 11 -> {
        return new Call(srq.limit(3), srq.object()::modify);
      }
      case 12 -> {
        return new Call(RawXrcSrq.initiator(rig).command(), rig.nic()::create);
      }
      default -> {
        RawQp qp = rig.qp(cq);
        qp.connect(1, settings);
        return new Call(qp.transition(CommandOpcode.RTS2RTS_QP), qp.object()::modify);
      }
    }
  }

  private static void collect(Structure structure, int base, List<Place> places) {
    for (Field field : structure.fields()) {
      if (field.isNumber()) {
        places.add(new Place(field, base + field.bit()));
      }
    }
    for (Area area : structure.areas()) {
      collect(area.structure(), base + area.offset() * 8, places);
    }
  }

  private static List<Place> places(View command) {
    Structure structure = CommandFormat.of(command.getInt(CmdIn.OPCODE)).orElseThrow().input();
    List<Place> places = new ArrayList<>();
    collect(structure, 0, places);
    places.removeIf(place -> place.bit() + place.field().width() > structure.bytes() * 8);
    return places;
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theRefusalNamesTheFieldThatWasChanged(long seed) {
    Random random = new Random(seed);
    int refusals = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      refusals += mutate(random) ? 1 : 0;
    }
    assertThat(refusals).isGreaterThan(MUTATIONS / 20);
  }

  /** Changes one field of a command; true when it was refused. */
  private boolean mutate(Random random) {
    Call call = valid(random);
    View command = call.command();
    List<Place> places = places(command);
    Place place = places.get(random.nextInt(places.size()));
    if (place.bit() == OBJECT_NUMBER_BIT) {
      return false;
    }
    Field whole = new Field(place.field().name(), place.bit(), place.field().width());
    long old = command.get(whole);
    long mask = whole.width() == 64 ? -1 : (1L << whole.width()) - 1;
    long value =
        switch (random.nextInt(3)) {
          case 0 -> old ^ 1L << random.nextInt(whole.width());
          case 1 -> old + 1 & mask;
          default -> random.nextLong() & mask;
        };
    command.set(whole, value);
    try {
      if (call.target().apply(command.bytes()) instanceof HcaObject created) {
        created.close();
      }
      return false;
    } catch (HcaException refusal) {
      Heard.add(refusal.getMessage());
      // Some bits have two names.
      List<String> names =
          new ArrayList<>(
              places.stream().filter(place::overlaps).map(each -> each.field().name()).toList());
      if (place.bit() == CmdIn.OPCODE.bit()) {
        names.add(CommandOpcode.name((int) value));
      }
      assertThat(names)
          .as("%s = 0x%x was refused: %s", names, value, refusal.getMessage())
          .anyMatch(name -> refusal.getMessage().contains(name));
      return true;
    }
  }
}
