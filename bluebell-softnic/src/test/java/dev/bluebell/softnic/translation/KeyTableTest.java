package dev.bluebell.softnic.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.rig.LoneKey;
import dev.bluebell.softnic.rig.LoneMemory;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The table of keys: numbers, the two paths of an access, and the explanation of each refusal. */
class KeyTableTest {
  private static final int PD = 7;
  private static final int QPN = 0x40;
  private static final int ALL = 31;

  private final KeyTable keys =
      new KeyTable(1 << 10, new Explanations(), (one, other) -> true, new Effort(), null);
  private final LoneMemory memory = new LoneMemory(new Umem(1, Arena.ofAuto().allocate(64, 64)));

  private MemoryKey register(int rights) {
    return memory.register(keys, new LoneKey().rights(rights));
  }

  // ---- numbers

  @Test
  void lowIndicesAreReserved() {
    assertThat(keys.allocateIndex()).isEqualTo(0x10);
    assertThat(keys.allocateIndex()).isEqualTo(0x11);
  }

  @Test
  void indicesAreHandedOutInTurnUntilTheTableIsFull() {
    KeyTable small =
        new KeyTable(0x13, new Explanations(), (one, other) -> true, new Effort(), null);
    for (int round = 0; round < 2; round++) {
      for (int index = 0x10; index < 0x13; index++) {
        assertThat(small.allocateIndex()).isEqualTo(index);
      }
    }
    for (int i = 0; i < 3; i++) {
      memory.register(small, new LoneKey());
    }
    assertThat(small.allocateIndex()).isEqualTo(-1);
    assertThat(all(small)).extracting(MemoryKey::key).containsExactly(0x1001, 0x1101, 0x1201);
    small.remove(all(small).get(1));
    assertThat(small.allocateIndex()).isEqualTo(0x11);
  }

  private static List<MemoryKey> all(KeyTable table) {
    return IntStream.range(0, table.slots())
        .mapToObj(table::atIndex)
        .filter(Objects::nonNull)
        .toList();
  }

  @Test
  void theTableGrowsToItsLimit() {
    KeyTable table =
        new KeyTable(0x301, new Explanations(), (one, other) -> true, new Effort(), null);
    int last = 0;
    for (int i = 0x10; i < 0x301; i++) {
      memory.register(table, new LoneKey());
      last = memory.key();
    }
    assertThat(last >>> 8).isEqualTo(0x300);
    assertThat(table.find(last)).isNotNull();
    assertThat(table.allocateIndex()).isEqualTo(-1);
    assertThat(all(table)).hasSize(0x301 - 0x10);
  }

  @Test
  void aTagFollowsTheOneBefore() {
    assertThat(keys.nextTag(0x10)).isEqualTo(1);
    MemoryKey key = register(ALL);
    assertThat(key.key()).isEqualTo(0x1001);
    assertThat(keys.nextTag(0x10)).isEqualTo(2);
    keys.remove(key);
    assertThat(keys.nextTag(0x10)).isEqualTo(2);
  }

  @Test
  void tagsWrapAtEightBits() {
    keys.put(new MemoryKey(0x10ff, new byte[64], memory.umem(), 0, 0));
    assertThat(keys.nextTag(0x10)).isZero();
    keys.put(new MemoryKey(0x107f, new byte[64], memory.umem(), 0, 0));
    assertThat(keys.nextTag(0x10)).isEqualTo(0x80);
  }

  @Test
  void aKeyIsFoundByIndexAndTag() {
    MemoryKey key = register(ALL);
    assertThat(keys.find(key.key())).isSameAs(key);
    assertThat(keys.find(key.key() + 1)).isNull();
    assertThat(keys.find(key.key() + 0x100)).isNull();
    assertThat(keys.find(-1)).isNull();
    assertThat(keys.atIndex(0x10)).isSameAs(key);
    assertThat(keys.atIndex(0x11)).isNull();
    assertThat(keys.atIndex(0xffffff)).isNull();
    assertThat(keys.atIndex(256)).isNull();
    assertThat(keys.find(256 << 8)).isNull();
    keys.remove(key);
    assertThat(keys.find(key.key())).isNull();
  }

  // ---- the fast path

  @Test
  void translateSaysWhereAnAddressIs() {
    int key = register(MemoryKey.LOCAL_READ).key();
    assertThat(keys.translate(key, memory.address(5), 59, PD, MemoryKey.LOCAL_READ))
        .isEqualTo(memory.address(5));
  }

  @Test
  void translateRefusesForbiddenAccesses() {
    int key = register(MemoryKey.LOCAL_READ | MemoryKey.REMOTE_READ).key();
    long at = memory.address(0);
    int read = MemoryKey.LOCAL_READ;
    assertThat(keys.translate(key + 1, at, 1, PD, read)).isEqualTo(KeyTable.REFUSED);
    assertThat(keys.translate(key, at, 1, PD + 1, read)).isEqualTo(KeyTable.REFUSED);
    assertThat(keys.translate(key, at, 1, PD, MemoryKey.LOCAL_WRITE)).isEqualTo(KeyTable.REFUSED);
    assertThat(keys.translate(key, at, 1, PD, read | MemoryKey.LOCAL_WRITE))
        .isEqualTo(KeyTable.REFUSED);
    assertThat(keys.translate(key, at + 5, 60, PD, read)).isEqualTo(KeyTable.REFUSED);
    assertThat(keys.translate(key, at - 1, 1, PD, read)).isEqualTo(KeyTable.REFUSED);
    assertThat(KeyTable.REFUSED).isEqualTo(-1);
  }

  @Test
  void translateLeavesKeysOfOneQueuePairToTheSlowPath() {
    MemoryKey key = memory.register(keys, new LoneKey().rights(MemoryKey.LOCAL_READ).qpn(QPN));
    long at = memory.address(0);
    int read = MemoryKey.LOCAL_READ;
    assertThat(keys.translate(key.key(), at, 8, PD, read)).isEqualTo(KeyTable.REFUSED);
    SegmentList list = new SegmentList();
    assertThat(keys.resolve(key.key(), at, 8, PD, QPN, read, list)).isTrue();
    assertThat(keys.resolve(key.key(), at, 8, PD, QPN + 1, read, list)).isFalse();
  }

  // ---- the slow path

  @Test
  void resolveAddsThePiecesOfAnAllowedAccess() {
    memory.count(0, 64);
    int key = register(MemoryKey.LOCAL_READ).key();
    SegmentList list = new SegmentList();
    assertThat(keys.resolve(key, memory.address(1), 3, PD, QPN, MemoryKey.LOCAL_READ, list))
        .isTrue();
    LoneMemory copy = new LoneMemory(new Umem(2, Arena.ofAuto().allocate(8)));
    list.copyTo(copy.address(0), 3);
    assertThat(copy.bytes(0, 4)).containsExactly(2, 3, 4, 0);
  }

  @Test
  void allowsAndResolveRefuseForbiddenAccesses() {
    int key = register(MemoryKey.REMOTE_WRITE).key();
    long at = memory.address(0);
    int write = MemoryKey.REMOTE_WRITE;
    assertThat(keys.allows(key, at, 64, PD, QPN, write)).isTrue();
    assertThat(keys.allows(key + 1, at, 64, PD, QPN, write)).isFalse();
    assertThat(keys.allows(key, at, 64, PD + 1, QPN, write)).isFalse();
    assertThat(keys.allows(key, at, 65, PD, QPN, write)).isFalse();
    assertThat(keys.allows(key, at, 64, PD, QPN, write | MemoryKey.REMOTE_READ)).isFalse();
    SegmentList list = new SegmentList();
    assertThat(keys.resolve(key, at, 65, PD, QPN, write, list)).isFalse();
  }

  // ---- ending a key

  @Test
  void aPeerMayInvalidateAKeyThatAllowsIt() {
    MemoryKey key = memory.register(keys, new LoneKey().rights(ALL).invalidatable());
    assertThat(keys.invalidate(key.key(), PD, QPN)).isEmpty();
    assertThat(key.isFree()).isTrue();
    assertThat(keys.translate(key.key(), memory.address(0), 1, PD, MemoryKey.REMOTE_READ))
        .isEqualTo(KeyTable.REFUSED);
    assertThat(keys.invalidate(key.key(), PD, QPN))
        .isEqualTo("rkey 0x1001 was invalidated by a SEND with invalidate");
  }

  @Test
  void aKeyThatForbidsInvalidationIsLeftAlone() {
    MemoryKey key = register(ALL);
    assertThat(keys.invalidate(key.key(), PD, QPN))
        .isEqualTo(
            "rkey 0x1001 was registered without REMOTE_INVALIDATE (en_rinval), so no peer may"
                + " invalidate it");
    assertThat(key.isFree()).isFalse();
  }

  @Test
  void aKeyOfAnotherDomainCannotBeInvalidated() {
    MemoryKey key = memory.register(keys, new LoneKey().rights(ALL).invalidatable());
    assertThat(keys.invalidate(key.key(), PD + 1, QPN))
        .isEqualTo(
            "rkey 0x1001 belongs to protection domain 0x7, but the queue pair belongs to 0x8");
    assertThat(keys.invalidate(key.key() + 0x100, PD, QPN))
        .isEqualTo(
            "rkey 0x1101 does not name a memory key: no key has index 0x11 (was the region"
                + " closed?)");
    assertThat(key.isFree()).isFalse();
  }

  // ---- the words

  private String refusal(int key, long address, long bytes, int pd, int qpn, int rights) {
    return keys.refusal("lkey", key, address, bytes, pd, qpn, rights);
  }

  @Test
  void aRefusalSaysWhenTheBytesOfAKeyAreInTheWrongOrder() {
    memory.register(keys, new LoneKey());
    String reversed = refusal(0x0110_0000, memory.address(0), 8, PD, QPN, 0);
    Heard.add(reversed);
    assertThat(reversed)
        .isEqualTo(
            "lkey 0x1100000 does not name a memory key: no key has index 0x11000 (was the region"
                + " closed?). Its bytes are in the wrong order: reversed it is 0x1001, which"
                + " exists; keys in a WQE are big-endian, and in verbs in host order: convert a"
                + " key once, when you exchange it");
    assertThat(refusal(0x0210_0000, memory.address(0), 8, PD, QPN, 0))
        .as("0x1002 does not exist")
        .endsWith("(was the region closed?)");
  }

  @Test
  void aRefusalNamesTheFirstFailedCheck() {
    MemoryKey key =
        memory.register(
            keys, new LoneKey().rights(MemoryKey.LOCAL_READ | MemoryKey.REMOTE_READ).qpn(QPN));
    long at = memory.address(0);
    assertThat(refusal(0x2001, at, 8, PD, QPN, 0))
        .isEqualTo(
            "lkey 0x2001 does not name a memory key: no key has index 0x20 (was the region"
                + " closed?)");
    assertThat(refusal(0x10f2, at, 8, PD, QPN, 0))
        .isEqualTo(
            "lkey 0x10f2 has the tag 0xf2, but the memory key with this index is 0x1001: the lkey"
                + " is from an earlier registration, or was never handed out");
    assertThat(refusal(key.key(), at, 8, 0x11, QPN, 0))
        .isEqualTo(
            "lkey 0x1001 belongs to protection domain 0x7, but the queue pair belongs to 0x11");
    assertThat(refusal(key.key(), at, 8, PD, 0x41, 0))
        .isEqualTo(
            "lkey 0x1001 is for QP 0x40 alone (qpn of the memory key; 0xffffff lets any queue pair"
                + " use it), not for QP 0x41");
    assertThat(
            refusal(key.key(), at, 8, PD, QPN, MemoryKey.LOCAL_READ | MemoryKey.LOCAL_WRITE | 16))
        .isEqualTo(
            "lkey 0x1001 does not grant LOCAL_WRITE, REMOTE_ATOMIC: it was registered with"
                + " LOCAL_READ, REMOTE_READ");
    assertThat(refusal(key.key(), at, 65, PD, QPN, MemoryKey.LOCAL_READ))
        .isEqualTo(
            "address 0x%x with byte_count 65 reaches outside the region of lkey 0x1001, which is [0x%x, 0x%x)"
                .formatted(at, at, at + 64));
  }

  @Test
  void aReversedOrTruncatedAddressIsRecognized() {
    int key = memory.register(keys, new LoneKey().rights(MemoryKey.LOCAL_READ)).key();
    long at = memory.address(0);
    String reversed = refusal(key, Long.reverseBytes(at + 8), 8, PD, QPN, 0);
    Heard.add(reversed);
    assertThat(reversed)
        .endsWith(
            "). Its bytes are in the wrong order: reversed it is 0x%x, which is inside"
                .formatted(at + 8));
    String cut = refusal(key, at & 0xffffffffL, 8, PD, QPN, 0);
    Heard.add(cut);
    assertThat(cut).endsWith("). Its upper 32 bits are lost: 0x%x is inside".formatted(at));
    assertThat(refusal(key, at ^ 1L << 40, 8, PD, QPN, 0)).as("another upper half").endsWith(")");
  }

  @Test
  void lostMemoryOfAnotherProcessHasItsOwnExplanation() {
    assertThat(KeyRefusals.unreachable("rkey", 0x1001, new SegmentList()))
        .isEqualTo(
            "the process that registered rkey 0x1001 no longer has such memory at that address:"
                + " it unmapped or protected the memory while it was registered");
  }
}
