package dev.bluebell.cli.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver writes and reads what libmlx5 did, and the command notices each byte that differs. */
class VectorsCommandTest {
  private static final Path VECTORS = Path.of("../bluebell-verbs/src/test/resources/vectors");
  private static final Path COMMANDS =
      Path.of("../bluebell-hca/src/test/resources/vectors/prm_commands.json");
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int FLIPS = 200;

  @TempDir private Path directory;

  private static String file(String group) {
    return VECTORS.resolve(group + ".json").toString();
  }

  @ParameterizedTest
  @CsvSource({
    "rc_core, 414, 0",
    "rc_inline, 395, 0",
    "doorbell, 11, 0",
    "uc, 56, 0",
    "ud_eth, 76, 0",
    "ud_ib, 79, 0",
    "xrc_dc, 129, 0",
    "xrc_dc_ib, 125, 0",
    "rq_recv, 44, 0",
    "rq_recv_signature, 50, 0",
    "srq_recv, 14, 0",
    "srq_recv_wqsig, 14, 0",
    "tm_srq_ops, 6, 0",
    "cqe_tag_matching, 13, 0",
    "cq_arm, 6, 0",
    "cqe_success, 71, 0",
    "cqe_errors, 97, 0",
    "cqe_inline_scatter, 35, 0",
    "cqe_compressed_basic, 116, 0",
    "cqe_compressed_enhanced, 53, 0",
    "cqe_compressed_libmlx5, 12, 0",
    "masked_atomics, 64, 0",
    "umr, 71, 0"
  })
  void allVectorsAreEqualButThoseOfOtherQueues(String group, int equal, int unsupported) {
    Cli cli = Cli.run("vectors", file(group));
    assertThat(cli.exitCode()).as(cli.out()).isZero();
    assertThat(cli.out().lines().toList().getLast())
        .isEqualTo("%d equal, 0 differ, %d unsupported".formatted(equal, unsupported));
  }

  @Test
  void aFolderStandsForItsVectorsAndNothingElseInIt() throws IOException {
    Files.copy(VECTORS.resolve("uc.json"), directory.resolve("b.json"));
    Files.copy(VECTORS.resolve("doorbell.json"), directory.resolve("a.json"));
    Files.writeString(directory.resolve("fields.json"), "{\"structures\": []}");
    Files.writeString(directory.resolve("README.md"), "# Vectors");
    Cli cli = Cli.run("vectors", directory.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out().lines())
        .containsExactly(
            "doorbell                 11 equal, 0 differ, 0 unsupported",
            "uc                       56 equal, 0 differ, 0 unsupported",
            "67 equal, 0 differ, 0 unsupported");
  }

  @Test
  void aFolderWithoutVectorsIsRefused() {
    Cli cli = Cli.run("vectors", directory.toString());
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains(directory + " holds no golden vectors");
  }

  @Test
  void commandsOfRealClientsAreRebuiltFromTheirFields() {
    Cli cli = Cli.run("vectors", COMMANDS.toString());
    assertThat(cli.exitCode()).as(cli.out()).isZero();
    assertThat(cli.out().lines().toList().getLast())
        .isEqualTo("148 equal, 0 differ, 0 unsupported");
  }

  @Test
  void waitsAreRebuiltFromTheirFields() {
    Cli cli = Cli.run("vectors", COMMANDS.resolveSibling("wait_enable.json").toString());
    assertThat(cli.exitCode()).as(cli.out()).isZero();
    assertThat(cli.out().lines().toList().getLast()).isEqualTo("11 equal, 0 differ, 0 unsupported");
  }

  @Test
  void aFlippedBitInARecordedCommandIsADifference() throws IOException {
    JsonNode root = MAPPER.readTree(COMMANDS.toFile());
    ObjectNode first = (ObjectNode) root.get("vectors").get(0);
    byte[] input = HexFormat.of().parseHex(first.get("in").asText());
    input[9] ^= 1;
    first.put("in", HexFormat.of().formatHex(input));
    Cli cli = Cli.run("vectors", only(root, 0));
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.out()).contains("byte 9");
  }

  @Test
  void noCompletionIsUnsupported() {
    Cli cli = Cli.run("vectors", "--json", file("cqe_success"), file("cqe_errors"));
    assertThat(cli.json())
        .allSatisfy(
            line -> assertThat(line.get("unsupportedByName").fieldNames()).toIterable().isEmpty());
  }

  @Test
  void theTotalIsOverAllFiles() {
    Cli cli = Cli.run("vectors", file("doorbell"), file("cq_arm"));
    assertThat(cli.out().lines().toList().getLast()).isEqualTo("17 equal, 0 differ, 0 unsupported");
  }

  @Test
  void windowsAreRebuiltFromTheirFields() {
    Cli cli = Cli.run("vectors", COMMANDS.resolveSibling("mw_bind_inv.json").toString());
    assertThat(cli.exitCode()).as(cli.out()).isZero();
    assertThat(cli.out().lines().toList().getLast()).isEqualTo("52 equal, 0 differ, 0 unsupported");
  }

  @Test
  void verboseNamesEachUnsupportedVector() throws IOException {
    JsonNode root = MAPPER.readTree(Path.of(file("umr")).toFile());
    ((ObjectNode) root.at("/vectors/0/requests/0")).put("call", "mlx5dv_wr_of_tomorrow");
    Cli cli = Cli.run("vectors", "--verbose", only(root, 0));
    assertThat(cli.out()).contains(": call mlx5dv_wr_of_tomorrow");
  }

  /** Every byte that libmlx5 wrote and that the mask lets count. */
  private record Place(int vector, ObjectNode holder, String member, int index) {

    void flip(int bits) {
      byte[] bytes = HexFormat.of().parseHex(holder.get(member).asText());
      bytes[index] ^= (byte) bits;
      holder.put(member, HexFormat.of().formatHex(bytes));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rc_core",
        "rc_inline",
        "doorbell",
        "uc",
        "ud_eth",
        "ud_ib",
        "xrc_dc",
        "xrc_dc_ib",
        "rq_recv",
        "rq_recv_signature",
        "tm_srq_ops"
      })
  void oneFlippedBitIsADifference(String group) throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    JsonNode root = MAPPER.readTree(Path.of(file(group)).toFile());
    List<Place> places = places(root);
    assertThat(places).isNotEmpty();
    for (int i = 0; i < FLIPS; i++) {
      Place place = places.get(random.nextInt(places.size()));
      int bit = 1 << random.nextInt(Byte.SIZE);
      place.flip(bit);
      VectorResult result =
          VectorResult.of(VectorCheck.of(group), root.get("vectors").get(place.vector()));
      place.flip(bit);
      assertThat(result.differences()).as("seed %d, %s", seed, place).isNotEmpty();
    }
  }

  private static List<Place> places(JsonNode root) {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < root.get("vectors").size(); i++) {
      for (JsonNode holder : root.get("vectors").get(i).findParents("mask")) {
        byte[] mask = HexFormat.of().parseHex(holder.get("mask").asText());
        for (int at = 0; at < mask.length; at++) {
          if (mask[at] == (byte) 0xff) {
            places.add(new Place(i, (ObjectNode) holder, "bytes", at));
          }
        }
      }
    }
    return places;
  }

  private String only(JsonNode root, int vector) throws IOException {
    ObjectNode one = MAPPER.createObjectNode().put("group", root.get("group").asText());
    one.putArray("vectors").add(root.get("vectors").get(vector));
    Path path = directory.resolve("one.json");
    Files.writeString(path, MAPPER.writeValueAsString(one));
    return path.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "doorbell, /dbrec/snd, 77",
    "rq_recv, /dbrec_rcv, 77",
    "srq_recv, /dbrec, 77",
    "tm_srq_ops, /dbrec_snd, 77",
    "tm_srq_ops, /handle, 3",
    "cqe_tag_matching, /wr_id, 0x6101",
    "cqe_tag_matching, /wc_flags, 64",
    "cqe_tag_matching, /status, 21",
    "srq_recv, /wqes_before/3, 0000000500000000000000000000000000000000000000000000000000000000",
    "srq_recv, /wqes_after/3, 0000000500000000000000000000000000000000000000000000000000000000",
    "rc_inline, /ret, 12",
    "cqe_success, /dbrec_set_ci, 3",
    "cqe_success, /wc/0/wr_id, 0x5e000001",
    "cqe_errors, /wc/0/vendor_err, 0x01",
    "cqe_errors, /wc/0/status_num, 4",
    "cqe_inline_scatter, /wc/0/byte_len, 9",
    "cqe_inline_scatter, /recv_buffers/0/bytes,"
        + " 00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
    "masked_atomics, /requests/0/value, 0x11121315",
    "cq_arm, /dbrec_arm, 0x00000009",
    "cq_arm, /uar_bytes, 0000000000000405"
  })
  void anotherRecordedValueFails(String group, String pointer, String value) throws IOException {
    JsonNode root = MAPPER.readTree(Path.of(file(group)).toFile());
    int slash = pointer.lastIndexOf('/');
    JsonNode parent = root.get("vectors").get(0).at(pointer.substring(0, slash));
    String member = pointer.substring(slash + 1);
    if (parent instanceof ArrayNode array) {
      array.set(Integer.parseInt(member), value);
    } else {
      replace((ObjectNode) parent, member, value);
    }
    Cli cli = Cli.run("vectors", only(root, 0));
    assertThat(cli.exitCode()).as(cli.out()).isEqualTo(1);
    assertThat(cli.out()).contains("0 equal, 1 differ, 0 unsupported");
  }

  private static void replace(ObjectNode holder, String member, String value) {
    if (value.matches("\\d{1,3}")) {
      holder.put(member, Integer.parseInt(value));
    } else {
      holder.put(member, value);
    }
  }

  @Test
  void aDifferenceIsALineThatNamesVectorAndPlace() throws IOException {
    JsonNode root = MAPPER.readTree(Path.of(file("doorbell")).toFile());
    JsonNode vector = root.get("vectors").get(0);
    ObjectNode wqebb = (ObjectNode) vector.at("/wqebbs/0");
    byte[] bytes = HexFormat.of().parseHex(wqebb.get("bytes").asText());
    bytes[3] ^= 1;
    wqebb.put("bytes", HexFormat.of().formatHex(bytes));
    Cli cli = Cli.run("vectors", only(root, 0));
    assertThat(cli.out().lines().findFirst())
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .matches(
                        "doorbell "
                            + vector.get("name").asText()
                            + ": WQEBB \\d+: byte 3 is \\p{XDigit}{2}, recorded \\p{XDigit}{2}"));
  }

  /** The builder can't look up what it shall write. */
  @Test
  void withoutRecordedBytesTheRequestsAreBuiltAllTheSame() throws IOException {
    JsonNode root = MAPPER.readTree(Path.of(file("rc_core")).toFile());
    ObjectNode vector = (ObjectNode) root.get("vectors").get(0);
    SendBuilder builder =
        new SendBuilder(vector.get("qp"), 0x0a1b01, vector.get("start_index").asInt());
    JsonNode requests = vector.get("requests").deepCopy();
    vector.remove(List.of("wqebbs", "dbrec", "uar", "ret"));
    assertThat(builder.post(SendSpec.of(requests.get(0)))).isEmpty();
    builder.ring();
    assertThat(builder.isWritten(0)).isTrue();
    assertThat(builder.doorbells()).hasSize(1);
  }

  @Test
  void aFileWithoutVectorsIsTold() throws IOException {
    Path path = Files.writeString(directory.resolve("other.json"), "{\"a\":1}");
    Cli cli = Cli.run("vectors", path.toString());
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("other.json holds no golden vectors");
  }

  @Test
  void aMissingFileIsTold() {
    Cli cli = Cli.run("vectors", "/nowhere/rc.json");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err())
        .isEqualTo(
            "bluebell: /nowhere/rc.json can't be read: name a file that exists%n".formatted());
  }

  @Test
  void withoutAFileItIsWrongUsage() {
    assertThat(Cli.run("vectors").exitCode()).isEqualTo(2);
  }
}
