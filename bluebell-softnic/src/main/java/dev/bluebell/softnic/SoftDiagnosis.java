package dev.bluebell.softnic;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaObserver;
import dev.bluebell.softnic.command.Inventory;
import dev.bluebell.softnic.diagnosis.FlightCopy;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.queue.Chip;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The diagnosis interface of the device; takes ownership of the engine while it reads the engine's
 * state.
 */
final class SoftDiagnosis implements HcaDiagnosis {
  private final Chip chip;
  private final Engine engine;
  private final Inventory inventory;
  private final Fabric fabric;

  SoftDiagnosis(Chip chip, Engine engine, Inventory inventory, Fabric fabric) {
    this.chip = chip;
    this.engine = engine;
    this.inventory = inventory;
    this.fabric = fabric;
  }

  @Override
  public Optional<String> explain(int cqn, int index) {
    return chip.explanations().find(cqn, index);
  }

  @Override
  public List<String> explanations() {
    awaitTurn();
    return chip.explanations().all();
  }

  // A completion can become visible before the end of the turn that adds its peer's explanation.
  void awaitTurn() {
    engine.enter();
    engine.exit();
  }

  @Override
  public List<HcaHappening> happenings() {
    return copyRecord().happenings();
  }

  List<HcaHappening> happenings(HcaObserver.Filter filter) {
    return copyRecord().happenings(filter);
  }

  // Copies in pieces, and formats no text meanwhile: a caller must not hold the device up.
  private FlightCopy copyRecord() {
    FlightCopy copy = owning(chip.recorder()::begin);
    while (owning(() -> chip.recorder().copy(copy))) {
      // Goes on.
    }
    return copy;
  }

  void observe(HcaObserver observer) {
    chip.explanations().observe(observer);
  }

  @Override
  public void trace(boolean on) {
    owning(
        () -> {
          chip.recorder().trace(on);
          return on;
        });
  }

  void trace(int qpn, boolean on) {
    owning(
        () -> {
          chip.recorder().trace(qpn, on);
          return on;
        });
  }

  @Override
  public List<String> objects() {
    return objects((kind, number) -> true);
  }

  List<String> objects(HcaHosting.ObjectFilter filter) {
    List<String> lines = new ArrayList<>();
    Inventory.Place place = new Inventory.Place();
    while (owning(() -> inventory.lines(place, filter, lines))) {
      // Goes on.
    }
    lines.addAll(owning(fabric::lines));
    return lines;
  }

  /** The latest explanations, one on a line. Does not wait for the device. */
  @Override
  public String toString() {
    List<String> all = chip.explanations().all();
    return all.isEmpty() ? "nothing was explained" : String.join("\n", all);
  }

  private <T> T owning(Supplier<T> look) {
    engine.enter();
    try {
      return look.get();
    } finally {
      engine.exit();
    }
  }
}
