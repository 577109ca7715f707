package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Objects by their number. */
class ObjectTableTest {
  private final ObjectTable<String> table = new ObjectTable<>(3, 6);

  private int put(String object) {
    int number = table.allocate();
    table.put(number, object);
    return number;
  }

  @Test
  void numbersAreHandedOutInTurn() {
    assertThat(put("a")).isEqualTo(3);
    table.remove(3);
    assertThat(put("b")).isEqualTo(4);
    assertThat(put("c")).isEqualTo(5);
    assertThat(put("d")).isEqualTo(3);
  }

  @Test
  void aNumberInUseIsPassedOver() {
    put("a");
    put("b");
    put("c");
    table.remove(4);
    assertThat(put("d")).isEqualTo(4);
    table.remove(3);
    assertThat(put("e")).isEqualTo(3);
  }

  @Test
  void aFullTableHandsOutNoNumber() {
    put("a");
    put("b");
    assertThat(table.allocate()).isEqualTo(5);
    put("c");
    assertThat(table.allocate()).isEqualTo(-1);
    assertThat(table.count()).isEqualTo(3);
  }

  @Test
  void anObjectIsFoundByItsNumber() {
    put("a");
    assertThat(table.find(3)).isEqualTo("a");
    assertThat(table.find(4)).isNull();
    assertThat(table.find(-1)).isNull();
    assertThat(table.find(63)).isNull();
    assertThat(table.find(64)).isNull();
    assertThat(table.find(Integer.MIN_VALUE)).isNull();
    table.remove(3);
    assertThat(table.find(3)).isNull();
    assertThat(table.count()).isZero();
  }

  @Test
  void anObjectCountsAsUserOfWhatItUsesUntilItIsRemoved() {
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    table.put(3, "a", first::addAndGet, second::addAndGet);
    table.put(4, "b", first::addAndGet);
    assertThat(first).hasValue(2);
    assertThat(second).hasValue(1);
    table.remove(3);
    table.put(3, "c");
    table.remove(3);
    assertThat(first).hasValue(1);
    assertThat(second).hasValue(0);
  }

  @Test
  void everyChangeIsCounted() {
    assertThat(table.changes()).isZero();
    put("a");
    assertThat(table.changes()).isEqualTo(1);
    table.remove(3);
    assertThat(table.changes()).isEqualTo(2);
  }

  @Test
  void allObjectsComeInTheOrderOfTheirNumbers() {
    ObjectTable<String> large = new ObjectTable<>(0, 1 << 20);
    large.put(64, "b");
    large.put(1000, "c");
    large.put(2, "a");
    assertThat(large.all()).containsExactly("a", "b", "c");
    assertThat(large.find(1000)).isEqualTo("c");
    assertThat(large.find(64)).isEqualTo("b");
  }
}
