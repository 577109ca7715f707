package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.VportCommands.MadIfcIn;
import dev.bluebell.hca.command.VportCommands.MadIfcOut;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.InfiniBandWay;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MAD_IFC: read-only subnet management. */
class MadCommandsTest {
  private static final int GET = 1;
  private static final int LID_ROUTED = 0x01;
  private static final long GUID = 0x00be_11ff_fe00_0001L;

  private final Rig rig =
      Rigs.openInfiniBand(options -> options.withLmc(2).withPartitionKeys(List.of(0xffff, 0x8001)));

  @AfterEach
  void close() {
    rig.close();
  }

  private static byte[] mad(int managed, int method, int attribute, int modifier) {
    ByteBuffer mad = ByteBuffer.allocate(256);
    mad.put(0, (byte) 1).put(1, (byte) managed).put(2, (byte) 1).put(3, (byte) method);
    mad.putLong(8, 0x1122334455667788L).putShort(16, (short) attribute).putInt(20, modifier);
    return mad.array();
  }

  private static View command(byte[] mad) {
    return View.command(MadIfcIn.STRUCTURE, CommandOpcode.MAD_IFC)
        .set(MadIfcIn.PORT, 1)
        .setBytes(MadIfcIn.MAD, mad);
  }

  private ByteBuffer answer(byte[] mad) {
    View answer = View.over(rig.nic().execute(command(mad).bytes()));
    return ByteBuffer.wrap(answer.getBytes(MadIfcOut.RESPONSE_MAD_PACKET));
  }

  /** The data of an attribute, whose answer must be good. */
  private ByteBuffer read(int attribute, int modifier) {
    ByteBuffer answer = answer(mad(LID_ROUTED, GET, attribute, modifier));
    assertThat(answer.get(3)).as("method").isEqualTo((byte) 0x81);
    assertThat(answer.getShort(4)).as("status").isZero();
    assertThat(answer.getLong(8)).as("transaction").isEqualTo(0x1122334455667788L);
    assertThat(answer.getShort(16)).isEqualTo((short) attribute);
    return answer.slice(64, 64);
  }

  @Test
  void theNodeIsDescribed() {
    byte[] text = new byte[26];
    read(0x10, 0).get(text);
    assertThat(new String(text, StandardCharsets.US_ASCII)).isEqualTo("Bluebell software ConnectX");
    ByteBuffer node = read(0x11, 0);
    assertThat(node.get(2)).as("a channel adapter").isEqualTo((byte) 1);
    assertThat(node.get(3)).as("ports").isEqualTo((byte) 1);
    assertThat(node.getLong(12)).isEqualTo(GUID);
    assertThat(node.getLong(20)).isEqualTo(GUID);
    assertThat(node.getShort(28)).as("partitions").isEqualTo((short) 128);
    assertThat(node.getInt(36)).as("port and vendor").isEqualTo(0x0100_02c9);
  }

  @Test
  void thePortIsDescribed() {
    ByteBuffer port = read(0x15, 1);
    assertThat(port.getLong(8)).as("prefix").isEqualTo(0xfe80L << 48);
    assertThat(port.getShort(16)).as("LID").isEqualTo((short) 8);
    assertThat(port.getShort(18)).as("LID of the subnet manager").isEqualTo((short) 1);
    assertThat(port.getInt(20)).isEqualTo(0x2651e848);
    assertThat(port.get(32) & 0xf).as("state").isEqualTo(4);
    assertThat(port.get(33) >> 4 & 0xf).as("physical state").isEqualTo(5);
    assertThat(port.get(34) & 7).as("LMC").isEqualTo(2);
    assertThat(port.get(36) >> 4 & 0xf).as("MTU").isEqualTo(5);
    assertThat(port.get(37) >> 4 & 0xf).as("virtual lanes").isEqualTo(4);
    assertThat(port.get(50)).as("GUIDs").isEqualTo((byte) 8);
    assertThat(port.get(51) & 0x1f).isEqualTo(18);
  }

  @Test
  void thePortIsCounted() {
    RawMemory memory = rig.memory(4096);
    Settings settings = new Settings().way(InfiniBandWay.to(rig.nic().queryPort(1).lid()));
    rig.pair(settings).left().post(Wqe.write(memory, 0).data(memory, 8, 8));
    rig.settle();
    ByteBuffer counters = answer(mad(4, GET, 0x12, 0)).slice(64, 64);
    assertThat(counters.get(1)).as("port").isEqualTo((byte) 1);
    assertThat(counters.getInt(24)).as("words sent").isEqualTo((8 + 2 * 58) / 4);
    assertThat(counters.getInt(28)).as("words received").isEqualTo((8 + 2 * 58) / 4);
    assertThat(counters.getInt(32)).as("packets sent").isEqualTo(2);
    assertThat(counters.getInt(36)).as("packets received").isEqualTo(2);
  }

  @Test
  void tablesAreReadInBlocks() {
    assertThat(read(0x14, 0).getLong(0)).isEqualTo(GUID);
    ByteBuffer keys = read(0x16, 0);
    assertThat(keys.getShort(0)).isEqualTo((short) 0xffff);
    assertThat(keys.getShort(2)).isEqualTo((short) 0x8001);
    assertThat(read(0x16, 3).getShort(0)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "0x81, 1, 0x10, 0, 0", // directed
    "1, 2, 0x10, 0, 8", // Set
    "1, 0x81, 0x10, 0, 8", // an answer
    "1, 1, 0x17, 0, 12", // SLtoVLMappingTable
    "1, 1, 0xffff, 0, 12",
    "1, 1, 0x14, 1, 28", // a block behind the table
    "1, 1, 0x16, 4, 28",
    "1, 1, 0x16, 0xffff, 28",
    "4, 1, 0x12, 0, 0", // PortCounters
    "4, 2, 0x12, 0, 8", // Set
    "4, 1, 0x01, 0, 12" // ClassPortInfo
  })
  void theAnswersStatusReportsAnUnsupportedRequest(
      String managed, String method, String attribute, String modifier, int status) {
    ByteBuffer answer =
        answer(
            mad(
                Integer.decode(managed),
                Integer.decode(method),
                Integer.decode(attribute),
                Integer.decode(modifier)));
    assertThat(answer.get(3)).isEqualTo((byte) 0x81);
    assertThat(answer.getShort(4)).isEqualTo((short) status);
    if (status != 0) {
      assertThat(answer.slice(64, 64)).isEqualByComparingTo(ByteBuffer.allocate(64));
    }
  }

  @Test
  void otherClassesPortsAndLinkLayersAreRefused() {
    assertThat(Rig.refused(() -> answer(mad(3, GET, 1, 0))))
        .hasMessageContaining(
            "management class 0x03: this device answers subnet management (0x01, 0x81) and"
                + " performance management (0x04) only");
    View other = command(mad(LID_ROUTED, GET, 0x10, 0)).set(MadIfcIn.PORT, 2);
    assertThat(Rig.refused(() -> rig.nic().execute(other.bytes())))
        .hasMessageContaining("port 2: this device has port 1 only");
    try (Rig ethernet = Rigs.open()) {
      assertThat(
              Rig.refused(
                  () -> ethernet.nic().execute(command(mad(LID_ROUTED, GET, 0x10, 0)).bytes())))
          .hasMessageContaining("an Ethernet port has no subnet management");
    }
  }

  @Test
  void anyBytesAreAnsweredOrRefused() {
    Random random = new Random(634);
    for (int i = 0; i < 20_000; i++) {
      byte[] mad = new byte[256];
      random.nextBytes(mad);
      if (i % 2 == 0) {
        mad[1] = (byte) (random.nextBoolean() ? 0x01 : 0x81);
        mad[3] = GET;
        mad[16] = 0;
        mad[17] = (byte) (0x10 + random.nextInt(8));
      }
      try {
        assertThat(answer(mad).get(3)).isEqualTo((byte) 0x81);
      } catch (HcaException e) {
        assertThat(e).hasMessageContaining("management class");
      }
    }
  }
}
