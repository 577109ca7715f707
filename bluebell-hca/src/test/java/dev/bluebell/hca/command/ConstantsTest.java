package dev.bluebell.hca.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyFieldSelect;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Compares numbers of opcodes, states and bits with the enumerations of the public headers. */
class ConstantsTest {
  private static final Map<String, Long> HEADERS = headers();

  private static Map<String, Long> headers() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (JsonNode enumeration : PrmFields.FILE.get("enumerations")) {
      enumeration
          .properties()
          .forEach(
              entry -> {
                JsonNode value = entry.getValue().get(0);
                if (value.isTextual()) {
                  all.put(entry.getKey(), Long.decode(value.asText()));
                }
              });
    }
    return all;
  }

  /** The int constants of a class, by name. */
  private static Map<String, Integer> constants(Class<?> type) {
    Map<String, Integer> constants = new LinkedHashMap<>();
    for (java.lang.reflect.Field field : type.getFields()) {
      if (field.getType() == int.class) {
        try {
          constants.put(field.getName(), field.getInt(null));
        } catch (IllegalAccessException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    return constants;
  }

  @Test
  void commandOpcodesAreThoseOfTheHeadersAndComplete() {
    JsonNode opcodes = PrmFields.FILE.get("opcodes");
    constants(CommandOpcode.class)
        .forEach(
            (name, value) -> {
              assertThat(opcodes.has(name)).as(name).isTrue();
              assertThat(Integer.decode(opcodes.get(name).asText())).as(name).isEqualTo(value);
              assertThat(CommandOpcode.name(value)).isEqualTo(name);
            });
    Set<String> markers = Set.of("GENERAL_START", "GENERAL_END");
    opcodes
        .properties()
        .forEach(
            entry -> {
              int value = Integer.decode(entry.getValue().asText());
              if (!markers.contains(entry.getKey())) {
                assertThat(CommandOpcode.name(value)).as(entry.getKey()).doesNotStartWith("0x");
              }
            });
  }

  @Test
  void commandStatusesAreThoseOfTheHeadersAndComplete() {
    Map<String, Integer> statuses = constants(CommandStatus.class);
    statuses.forEach(
        (name, value) -> {
          Long exact = HEADERS.get("MLX5_CMD_STAT_" + name);
          Long error = HEADERS.get("MLX5_CMD_STAT_" + name + "_ERR");
          assertThat(exact == null ? error : exact).as(name).isEqualTo((long) value);
          assertThat(CommandStatus.name(value)).isEqualTo(name);
          assertThat(CommandStatus.meaning(value)).endsWith(".").doesNotContain("No public");
        });
    assertThat(statuses).hasSameSizeAs(prefixed("MLX5_CMD_STAT_"));
  }

  @Test
  void syndromesAreThoseOfTheHeadersAndComplete() {
    assertNames(constants(Syndrome.class), "MLX5_CQE_SYNDROME_", Syndrome::name);
    assertThat(constants(Syndrome.class)).hasSameSizeAs(prefixed("MLX5_CQE_SYNDROME_"));
  }

  @Test
  void completionOpcodesAreThoseOfTheHeaders() {
    assertNames(constants(CqeOpcode.class), "MLX5_CQE_", CqeOpcode::name);
  }

  @Test
  void sendOpcodesAreThoseOfTheHeaders() {
    // Only the PRM and MLNX_OFED name the opcodes of cross-channel operations.
    Map<String, Integer> opcodes = constants(WqeOpcode.class);
    for (String crossChannel : List.of("WAIT", "RECV_EN", "SEND_EN")) {
      assertThat(opcodes.remove(crossChannel)).isNotNull();
    }
    // And only UCC that of transpositions.
    assertThat(opcodes.remove("LOCAL_MMO")).isEqualTo(0x32);
    assertNames(opcodes, "MLX5_OPCODE_", WqeOpcode::name);
  }

  private static void assertNames(
      Map<String, Integer> constants, String prefix, IntFunction<String> namer) {
    assertThat(constants).isNotEmpty();
    constants.forEach(
        (name, value) -> {
          assertThat(HEADERS.get(prefix + name)).as(name).isEqualTo((long) value);
          assertThat(namer.apply(value)).isEqualTo(name);
        });
  }

  private static List<String> prefixed(String prefix) {
    return HEADERS.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
  }

  @Test
  void completionAndFenceModesAreThoseOfTheHeaders() {
    assertHeader("MLX5_COMP_ONLY_ERR", ControlSegment.CE_ON_ERROR >>> 2);
    assertHeader("MLX5_COMP_ONLY_FIRST_ERR", ControlSegment.CE_ON_FIRST_ERROR >>> 2);
    assertHeader("MLX5_COMP_ALWAYS", ControlSegment.CE_ALWAYS >>> 2);
    assertHeader("MLX5_COMP_CQE_AND_EQE", ControlSegment.CE_ALWAYS_EVENT >>> 2);
    assertHeader("MLX5_FENCE_MODE_INITIATOR_SMALL", ControlSegment.FENCE_SMALL);
    assertHeader("MLX5_FENCE_MODE_FENCE", ControlSegment.FENCE);
    assertHeader("MLX5_FENCE_MODE_STRONG_ORDERING", ControlSegment.FENCE_STRONG);
    assertHeader("MLX5_FENCE_MODE_SMALL_AND_FENCE", ControlSegment.FENCE_SMALL_AND_FENCE);
    assertHeader("MLX5_INLINE_SEG", InlineSegment.FLAG & 0xffffffffL);
  }

  @Test
  void numbersInTheContextOfAQueuePairAreThoseOfTheHeaders() {
    constants(QpState.class).forEach((name, value) -> assertHeader("MLX5_QP_STATE_" + name, value));
    assertHeader("MLX5_QP_ST_RC", ServiceType.RC.code());
    assertHeader("MLX5_QP_ST_UC", ServiceType.UC.code());
    assertHeader("MLX5_QP_ST_UD", ServiceType.UD.code());
    assertHeader("MLX5_QP_ST_XRC", ServiceType.XRC.code());
    assertHeader("MLX5_QP_ST_DCI", ServiceType.DCI.code());
    assertHeader("MLX5_QP_ST_RAW_ETHERTYPE", ServiceType.RAW.code());
    assertHeader("MLX5_QPC_PM_STATE_ARMED", Qpc.PM_STATE_ARMED);
    assertHeader("MLX5_QPC_PM_STATE_REARM", Qpc.PM_STATE_REARM);
    assertHeader("MLX5_QPC_PM_STATE_MIGRATED", Qpc.PM_STATE_MIGRATED);
    assertHeader("MLX5_QPC_ATOMIC_MODE_IB_SPEC", Qpc.ATOMIC_MODE_IB_SPEC);
    assertHeader("MLX5_SRQ_RQ", Qpc.RQ_TYPE_SHARED);
    assertHeader("MLX5_QPC_MTU_256_BYTES", PathMtu.SMALLEST);
    assertHeader("MLX5_QPC_MTU_1K_BYTES", PathMtu.code(1024));
    assertHeader("MLX5_QPC_MTU_4K_BYTES", PathMtu.LARGEST);
    Map<String, Integer> optional = constants(QpOptionalParameter.class);
    assertThat(optional.remove("RIGHTS")).isNotNull();
    optional.forEach((name, value) -> assertHeader("MLX5_QP_OPTPAR_" + name, value));
  }

  @Test
  void servicesAreFoundByTheirCode() {
    for (ServiceType service : ServiceType.values()) {
      assertThat(ServiceType.of(service.code())).isEqualTo(service);
    }
    assertThat(ServiceType.of(4)).isNull();
  }

  @Test
  void numbersInOtherContextsAreThoseOfTheHeaders() {
    assertHeader("MLX5_CQC_CQE_SZ_64_BYTES", Cqc.CQE_SZ_64_BYTES);
    assertHeader("MLX5_CQC_CQE_SZ_128_BYTES", Cqc.CQE_SZ_128_BYTES);
    assertHeader("MLX5_CQ_PERIOD_MODE_START_FROM_EQE", Cqc.CQ_PERIOD_MODE_START_FROM_EQE);
    assertHeader("MLX5_CQ_PERIOD_MODE_START_FROM_CQE", Cqc.CQ_PERIOD_MODE_START_FROM_CQE);
    assertHeader("MLX5_MKC_ACCESS_MODE_MTT", Mkc.ACCESS_MODE_MTT);
    assertHeader("MLX5_MKC_ACCESS_MODE_MEMIC", Mkc.ACCESS_MODE_MEMIC);
    assertHeader("MLX5_WQ_TYPE_LINKED_LIST", Wq.WQ_TYPE_LINKED_LIST);
    assertHeader("MLX5_WQ_TYPE_CYCLIC", Wq.WQ_TYPE_CYCLIC);
    assertHeader("MLX5_WQ_TYPE_LINKED_LIST_STRIDING_RQ", Wq.WQ_TYPE_LINKED_LIST_STRIDING_RQ);
    assertHeader("MLX5_WQ_TYPE_CYCLIC_STRIDING_RQ", Wq.WQ_TYPE_CYCLIC_STRIDING_RQ);
    assertHeader("MLX5_RMPC_STATE_RDY", Rmpc.STATE_RDY);
    assertHeader("MLX5_CQ_OPMOD_RESIZE", ModifyCqIn.OP_MOD_RESIZE);
    assertHeader("MLX5_CQ_MODIFY_PERIOD", ModifyFieldSelect.PERIOD);
    assertHeader("MLX5_CQ_MODIFY_COUNT", ModifyFieldSelect.COUNT);
  }

  @Test
  void capabilityTypesAreThoseOfTheHeaders() {
    Map<String, Integer> types = constants(CapabilityType.class);
    int crypto = types.remove("CRYPTO");
    types.forEach((name, value) -> assertHeader("MLX5_CAP_" + name, value));
    assertHeader("MLX5_SET_HCA_CAP_OP_MOD_CRYPTO", CapabilityType.current(crypto) & ~1);
    assertHeader("MLX5_HCA_CAP_OPMOD_GET_CUR", CapabilityType.current(0));
    assertThat(CapabilityType.of(CapabilityType.current(crypto))).isEqualTo(crypto);
  }

  @Test
  void doorbellConstantsAreThoseOfTheHeaders() {
    assertHeader("MLX5_SND_DBR", DoorbellRecord.SEND / 4);
    assertHeader("MLX5_CQ_SET_CI", DoorbellRecord.CQ_SET_CI / 4);
    assertHeader("MLX5_CQ_ARM_DB", DoorbellRecord.CQ_ARM / 4);
    assertHeader("MLX5_CQ_DOORBELL", Uar.CQ_DOORBELL);
    assertHeader("MLX5_CQ_DB_REQ_NOT_SOL", CqArm.SOLICITED_ONLY);
    assertHeader("MLX5_CQE_OWNER_MASK", Cqe.OWNER_MASK);
  }

  private static void assertHeader(String name, long value) {
    assertThat(HEADERS.get(name)).as(name).isEqualTo(value);
  }

  @Test
  void eventTypesAreThoseOfTheHeaders() {
    Map<String, String> header =
        Map.ofEntries(
            Map.entry("COMPLETION", "COMP"),
            Map.entry("PATH_MIGRATED", "PATH_MIG"),
            Map.entry("COMMUNICATION_ESTABLISHED", "COMM_EST"),
            Map.entry("SQ_DRAINED", "SQ_DRAINED"),
            Map.entry("CQ_ERROR", "CQ_ERROR"),
            Map.entry("WQ_CATASTROPHIC", "WQ_CATAS_ERROR"),
            Map.entry("INTERNAL_ERROR", "INTERNAL_ERROR"),
            Map.entry("PORT_CHANGE", "PORT_CHANGE"),
            Map.entry("WQ_INVALID_REQUEST", "WQ_INVAL_REQ_ERROR"),
            Map.entry("WQ_ACCESS_ERROR", "WQ_ACCESS_ERROR"),
            Map.entry("DCT_DRAINED", "DCT_DRAINED"),
            Map.entry("DCT_KEY_VIOLATION", "DCT_KEY_VIOLATION"),
            Map.entry("SRQ_CATASTROPHIC", "SRQ_CATAS_ERROR"),
            Map.entry("SRQ_LAST_WQE", "SRQ_LAST_WQE"),
            Map.entry("SRQ_LIMIT", "SRQ_RQ_LIMIT"));
    Map<String, Integer> types = constants(HcaEvent.class);
    assertHeader("MLX5_CQ_ERROR_SYNDROME_CQ_OVERRUN", types.remove("CQ_OVERRUN"));
    assertHeader(
        "MLX5_CQ_ERROR_SYNDROME_CQ_ACCESS_VIOLATION_ERROR", types.remove("CQ_ACCESS_VIOLATION"));
    Map.of(
            "PORT_DOWN", "DOWN",
            "PORT_ACTIVE", "ACTIVE",
            "PORT_INITIALIZED", "INITIALIZED",
            "PORT_LID", "LID",
            "PORT_PARTITION_KEYS", "PKEY",
            "PORT_CLIENT_REREGISTRATION", "CLIENT_REREG")
        .forEach(
            (name, subtype) ->
                assertHeader("MLX5_PORT_CHANGE_SUBTYPE_" + subtype, types.remove(name)));
    types.forEach(
        (name, value) -> {
          assertHeader("MLX5_EVENT_TYPE_" + header.get(name), value);
          assertThat(HcaEvent.typeName(value)).isEqualTo(name);
        });
  }
}
