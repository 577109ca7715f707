package dev.bluebell.hca.command;

import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CounterCommands.QueryCongStatisticsIn;
import dev.bluebell.hca.command.CounterCommands.QueryCongStatisticsOut;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterIn;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterOut;
import dev.bluebell.hca.command.CounterCommands.QueryVportCounterIn;
import dev.bluebell.hca.command.CounterCommands.QueryVportCounterOut;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.CreateCqOut;
import dev.bluebell.hca.command.CqCommands.DestroyCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.command.CqCommands.QueryCqIn;
import dev.bluebell.hca.command.CqCommands.QueryCqOut;
import dev.bluebell.hca.command.DctCommands.ArmDctIn;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.CreateDctOut;
import dev.bluebell.hca.command.DctCommands.DestroyDctIn;
import dev.bluebell.hca.command.DctCommands.DrainDctIn;
import dev.bluebell.hca.command.DctCommands.QueryDctIn;
import dev.bluebell.hca.command.DctCommands.QueryDctOut;
import dev.bluebell.hca.command.DeviceCommands.QueryAdapterOut;
import dev.bluebell.hca.command.DeviceCommands.QueryLagIn;
import dev.bluebell.hca.command.DeviceCommands.QueryLagOut;
import dev.bluebell.hca.command.DeviceCommands.QuerySpecialContextsIn;
import dev.bluebell.hca.command.DeviceCommands.QuerySpecialContextsOut;
import dev.bluebell.hca.command.DomainCommands.AllocPdIn;
import dev.bluebell.hca.command.DomainCommands.AllocPdOut;
import dev.bluebell.hca.command.DomainCommands.AllocXrcdIn;
import dev.bluebell.hca.command.DomainCommands.AllocXrcdOut;
import dev.bluebell.hca.command.DomainCommands.DeallocPdIn;
import dev.bluebell.hca.command.DomainCommands.DeallocXrcdIn;
import dev.bluebell.hca.command.GeneralObjectCommands.GeneralObjInCmdHdr;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.command.MemoryCommands.DeallocMemicIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyOut;
import dev.bluebell.hca.command.MkeyCommands.DestroyMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyOut;
import dev.bluebell.hca.command.QpCommands.AttachToMcgIn;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.CreateQpOut;
import dev.bluebell.hca.command.QpCommands.DestroyQpIn;
import dev.bluebell.hca.command.QpCommands.DetachFromMcgIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QueryQpIn;
import dev.bluebell.hca.command.QpCommands.QueryQpOut;
import dev.bluebell.hca.command.QpTransitions.Init2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Qp2ErrIn;
import dev.bluebell.hca.command.QpTransitions.Qp2rstIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpIn;
import dev.bluebell.hca.command.QpTransitions.Sqerr2rtsQpIn;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.CreateRmpOut;
import dev.bluebell.hca.command.RmpCommands.DestroyRmpIn;
import dev.bluebell.hca.command.RmpCommands.ModifyRmpIn;
import dev.bluebell.hca.command.RmpCommands.QueryRmpIn;
import dev.bluebell.hca.command.RmpCommands.QueryRmpOut;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.command.VportCommands.MadIfcIn;
import dev.bluebell.hca.command.VportCommands.MadIfcOut;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportContextIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportContextOut;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportGidIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportGidOut;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportPkeyIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportPkeyOut;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressIn;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressOut;
import dev.bluebell.hca.command.XrcSrqCommands.ArmXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqOut;
import dev.bluebell.hca.command.XrcSrqCommands.DestroyXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.QueryXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.QueryXrcSrqOut;
import dev.bluebell.hca.command.XrqCommands.ArmXrqIn;
import dev.bluebell.hca.command.XrqCommands.CreateXrqIn;
import dev.bluebell.hca.command.XrqCommands.CreateXrqOut;
import dev.bluebell.hca.command.XrqCommands.DestroyXrqIn;
import dev.bluebell.hca.command.XrqCommands.QueryXrqIn;
import dev.bluebell.hca.command.XrqCommands.QueryXrqOut;
import dev.bluebell.hca.structure.Structure;
import java.util.Map;
import java.util.Optional;

/**
 * Input and output layout of a command.
 *
 * <p>Structures whose fields only text needs are defined here, not by classes of their own, unless
 * another structure contains them. Each mirrors {@code mlx5_ifc_NAME_bits} in {@code mlx5_ifc.h} of
 * Linux, with its own name for NAME.
 *
 * @param input fixed part of the input
 * @param output fixed part of the output
 */
public record CommandFormat(Structure input, Structure output) {
  /** Event queue context. */
  private static final Structure EQC =
      Structure.define("eqc", 512)
          .with(
              """
              status@000:4 ec@00d oi@00e st@014:4 page_offset@054:6 log_eq_size@063:5
              uar_page@068:24 intr@0b4:12 log_page_size@0c3:5 consumer_counter@148:24
              producer_counter@168:24
              """);

  /** User memory context. */
  private static final Structure UMEM =
      Structure.define("umem", 256)
          .with("ats@080 log_page_size@09b:5 page_offset@0a0:32 num_of_mtt@0c0:64");

  /** Context of a raw send queue. */
  private static final Structure SQC =
      Structure.define("sqc", 1920)
          .with(
              """
              rlky@000 cd_master@001 fre@002 flush_in_error_en@003 allow_multi_pkt_send_wqe@004
              min_wqe_inline_mode@005:3 state@008:4 reg_umr@00c allow_swp@00d hairpin@00e
              non_wire@00f static_sq_wq@010 hairpin_wq_buffer_type@015:3 ts_format@01a:2
              user_index@028:24 cqn@048:24 hairpin_peer_rq@068:24 hairpin_peer_vhca@090:16
              ts_cqe_to_dest_cqn@0c8:24 packet_pacing_rate_limit_index@0f0:16 tis_lst_sz@100:16
              qos_queue_group_id@110:16 tis_num_0@168:24
              """)
          .with("wq", 0x180, Wq.STRUCTURE);

  /** Context of a transport interface (TIS), through which raw send queues send. */
  private static final Structure TISC =
      Structure.define("tisc", 1280)
          .with(
              """
              strict_lag_tx_port_affinity@000 tls_en@001 lag_tx_port_affinity@004:4 prio@00c:4
              transport_domain@128:24 underlay_qpn@148:24 pd@168:24
              """);

  private static final Structure MAC_ADDRESS_LAYOUT =
      Structure.define("mac_address_layout", 64).with("mac_addr_47_32@010:16 mac_addr_31_0@020:32");

  private static final Structure NIC_VPORT_CONTEXT =
      Structure.define("nic_vport_context", 2048)
          .with(
              """
              multi_prio_sq@000 vport_to_fdb_metadata@001 fdb_to_vport_metadata@002
              min_wqe_inline_mode@005:3 disable_mc_local_lb@01d disable_uc_local_lb@01e roce_en@01f
              arm_change_event@020 event_on_mtu@03b event_on_promisc_change@03c
              event_on_vlan_change@03d event_on_mc_address_change@03e event_on_uc_address_change@03f
              vhca_id_type@040 affiliation_criteria@04c:4 affiliated_vhca_id@050:16 mtu@130:16
              system_image_guid@140:64 port_guid@180:64 node_guid@1c0:64
              qkey_violation_counter@340:16 promisc_uc@780 promisc_mc@781 promisc_all@782
              allowed_list_type@785:3 allowed_list_size@794:12
              """)
          .with("permanent_address", 0x7a0, MAC_ADDRESS_LAYOUT);

  /**
   * Output of the commands that return nothing but their status, such as DESTROY_QP. Mirrors {@code
   * mlx5_ifc_destroy_qp_out_bits} and its equals.
   */
  private static final Structure STATUS_OUT = CommandHeaders.output("status_out", 128);

  private static final Map<Integer, CommandFormat> BY_OPCODE =
      Map.ofEntries(
          row(CommandOpcode.QUERY_HCA_CAP, QueryHcaCapIn.STRUCTURE, QueryHcaCapOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_ADAPTER,
              CommandHeaders.input("query_adapter_in", 128),
              QueryAdapterOut.STRUCTURE),
          row(CommandOpcode.CREATE_MKEY, CreateMkeyIn.STRUCTURE, CreateMkeyOut.STRUCTURE),
          row(CommandOpcode.QUERY_MKEY, QueryMkeyIn.STRUCTURE, QueryMkeyOut.STRUCTURE),
          row(CommandOpcode.DESTROY_MKEY, DestroyMkeyIn.STRUCTURE, STATUS_OUT),
          row(
              CommandOpcode.QUERY_SPECIAL_CONTEXTS,
              QuerySpecialContextsIn.STRUCTURE,
              QuerySpecialContextsOut.STRUCTURE),
          row(
              CommandOpcode.CREATE_EQ,
              CommandHeaders.input("create_eq_in", 2176)
                  .with("uid@010:16 event_bitmask@2c0:256")
                  .with("eq_context_entry", 0x080, EQC),
              output("create_eq_out", 128, "eq_number@058:8")),
          row(CommandOpcode.DESTROY_EQ, input("destroy_eq_in", 128, "eq_number@058:8"), STATUS_OUT),
          row(
              CommandOpcode.QUERY_EQ,
              input("query_eq_in", 128, "eq_number@058:8"),
              CommandHeaders.output("query_eq_out", 2176)
                  .with("event_bitmask@2c0:64")
                  .with("eq_context_entry", 0x080, EQC)),
          row(CommandOpcode.CREATE_CQ, CreateCqIn.STRUCTURE, CreateCqOut.STRUCTURE),
          row(CommandOpcode.DESTROY_CQ, DestroyCqIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.QUERY_CQ, QueryCqIn.STRUCTURE, QueryCqOut.STRUCTURE),
          row(CommandOpcode.MODIFY_CQ, ModifyCqIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.CREATE_QP, CreateQpIn.STRUCTURE, CreateQpOut.STRUCTURE),
          row(CommandOpcode.DESTROY_QP, DestroyQpIn.STRUCTURE, STATUS_OUT),
          row(
              CommandOpcode.RST2INIT_QP,
              Rst2initQpIn.STRUCTURE,
              output("rst2init_qp_out", 128, "ece@060:32")),
          row(
              CommandOpcode.INIT2RTR_QP,
              Init2rtrQpIn.STRUCTURE,
              output("init2rtr_qp_out", 128, "ece@060:32")),
          row(
              CommandOpcode.RTR2RTS_QP,
              Rtr2rtsQpIn.STRUCTURE,
              output("rtr2rts_qp_out", 128, "ece@060:32")),
          row(
              CommandOpcode.RTS2RTS_QP,
              Rts2rtsQpIn.STRUCTURE,
              output("rts2rts_qp_out", 128, "ece@060:32")),
          row(CommandOpcode.SQERR2RTS_QP, Sqerr2rtsQpIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.QP_2ERR, Qp2ErrIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.QP_2RST, Qp2rstIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.QUERY_QP, QueryQpIn.STRUCTURE, QueryQpOut.STRUCTURE),
          row(
              CommandOpcode.SQD2RTS_QP,
              CommandHeaders.input("sqd2rts_qp_in", 2176)
                  .with("uid@010:16 qpn@048:24 opt_param_mask@080:32")
                  .with("qpc", 0x0c0, Qpc.STRUCTURE),
              STATUS_OUT),
          row(
              CommandOpcode.INIT2INIT_QP,
              Init2initQpIn.STRUCTURE,
              output("init2init_qp_out", 128, "ece@060:32")),
          row(
              CommandOpcode.CREATE_PSV,
              input("create_psv_in", 128, "num_psv@040:4 pd@048:24"),
              output(
                  "create_psv_out",
                  256,
                  "psv0_index@088:24 psv1_index@0a8:24 psv2_index@0c8:24 psv3_index@0e8:24")),
          row(
              CommandOpcode.ARM_RQ,
              input("arm_rq_in", 128, "uid@010:16 srq_number@048:24 lwm@070:16"),
              STATUS_OUT),
          row(CommandOpcode.CREATE_XRC_SRQ, CreateXrcSrqIn.STRUCTURE, CreateXrcSrqOut.STRUCTURE),
          row(CommandOpcode.DESTROY_XRC_SRQ, DestroyXrcSrqIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.QUERY_XRC_SRQ, QueryXrcSrqIn.STRUCTURE, QueryXrcSrqOut.STRUCTURE),
          row(CommandOpcode.ARM_XRC_SRQ, ArmXrcSrqIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.CREATE_DCT, CreateDctIn.STRUCTURE, CreateDctOut.STRUCTURE),
          row(CommandOpcode.DRAIN_DCT, DrainDctIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.DESTROY_DCT, DestroyDctIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.ARM_DCT_FOR_KEY_VIOLATION, ArmDctIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.QUERY_DCT, QueryDctIn.STRUCTURE, QueryDctOut.STRUCTURE),
          row(CommandOpcode.CREATE_XRQ, CreateXrqIn.STRUCTURE, CreateXrqOut.STRUCTURE),
          row(CommandOpcode.DESTROY_XRQ, DestroyXrqIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.QUERY_XRQ, QueryXrqIn.STRUCTURE, QueryXrqOut.STRUCTURE),
          row(CommandOpcode.ARM_XRQ, ArmXrqIn.STRUCTURE, STATUS_OUT),
          row(
              CommandOpcode.QUERY_NIC_VPORT_CONTEXT,
              input(
                  "query_nic_vport_context_in",
                  128,
                  "other_vport@040 vport_number@050:16 allowed_list_type@065:3"),
              CommandHeaders.output("query_nic_vport_context_out", 2176)
                  .with("nic_vport_context", 0x080, NIC_VPORT_CONTEXT)),
          row(
              CommandOpcode.QUERY_ROCE_ADDRESS,
              QueryRoceAddressIn.STRUCTURE,
              QueryRoceAddressOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_HCA_VPORT_CONTEXT,
              QueryHcaVportContextIn.STRUCTURE,
              QueryHcaVportContextOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_HCA_VPORT_GID,
              QueryHcaVportGidIn.STRUCTURE,
              QueryHcaVportGidOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_HCA_VPORT_PKEY,
              QueryHcaVportPkeyIn.STRUCTURE,
              QueryHcaVportPkeyOut.STRUCTURE),
          row(CommandOpcode.MAD_IFC, MadIfcIn.STRUCTURE, MadIfcOut.STRUCTURE),
          row(CommandOpcode.ATTACH_TO_MCG, AttachToMcgIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.DETACH_FROM_MCG, DetachFromMcgIn.STRUCTURE, STATUS_OUT),
          row(
              CommandOpcode.QUERY_VPORT_COUNTER,
              QueryVportCounterIn.STRUCTURE,
              QueryVportCounterOut.STRUCTURE),
          row(
              CommandOpcode.ALLOC_Q_COUNTER,
              input("alloc_q_counter_in", 128, "uid@010:16"),
              output("alloc_q_counter_out", 128, "counter_set_id@058:8")),
          row(CommandOpcode.QUERY_Q_COUNTER, QueryQCounterIn.STRUCTURE, QueryQCounterOut.STRUCTURE),
          row(
              CommandOpcode.QUERY_CONG_STATISTICS,
              QueryCongStatisticsIn.STRUCTURE,
              QueryCongStatisticsOut.STRUCTURE),
          row(CommandOpcode.ALLOC_PD, AllocPdIn.STRUCTURE, AllocPdOut.STRUCTURE),
          row(CommandOpcode.DEALLOC_PD, DeallocPdIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.ALLOC_MEMIC, AllocMemicIn.STRUCTURE, AllocMemicOut.STRUCTURE),
          row(CommandOpcode.DEALLOC_MEMIC, DeallocMemicIn.STRUCTURE, STATUS_OUT),
          row(
              CommandOpcode.ALLOC_UAR,
              input("alloc_uar_in", 128, "uid@010:16"),
              output("alloc_uar_out", 128, "uar@048:24")),
          row(
              CommandOpcode.DEALLOC_UAR,
              input("dealloc_uar_in", 128, "uid@010:16 uar@048:24"),
              STATUS_OUT),
          row(CommandOpcode.ALLOC_XRCD, AllocXrcdIn.STRUCTURE, AllocXrcdOut.STRUCTURE),
          row(CommandOpcode.DEALLOC_XRCD, DeallocXrcdIn.STRUCTURE, STATUS_OUT),
          row(
              CommandOpcode.ALLOC_TRANSPORT_DOMAIN,
              input("alloc_transport_domain_in", 128, "uid@010:16"),
              output("alloc_transport_domain_out", 128, "transport_domain@048:24")),
          row(CommandOpcode.QUERY_LAG, QueryLagIn.STRUCTURE, QueryLagOut.STRUCTURE),
          row(
              CommandOpcode.CREATE_SQ,
              CommandHeaders.input("create_sq_in", 2176).with("uid@010:16").with("ctx", 0x100, SQC),
              output("create_sq_out", 128, "sqn@048:24")),
          row(CommandOpcode.CREATE_RMP, CreateRmpIn.STRUCTURE, CreateRmpOut.STRUCTURE),
          row(CommandOpcode.MODIFY_RMP, ModifyRmpIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.DESTROY_RMP, DestroyRmpIn.STRUCTURE, STATUS_OUT),
          row(CommandOpcode.QUERY_RMP, QueryRmpIn.STRUCTURE, QueryRmpOut.STRUCTURE),
          row(
              CommandOpcode.CREATE_TIS,
              CommandHeaders.input("create_tis_in", 1536)
                  .with("uid@010:16")
                  .with("ctx", 0x100, TISC),
              output("create_tis_out", 128, "tisn@048:24")),
          row(
              CommandOpcode.QUERY_TIS,
              input("query_tis_in", 128, "tisn@048:24"),
              CommandHeaders.output("query_tis_out", 1408).with("tis_context", 0x080, TISC)),
          row(
              CommandOpcode.CREATE_GENERAL_OBJECT,
              GeneralObjInCmdHdr.STRUCTURE,
              output("general_obj_out_cmd_hdr", 128, "obj_id@040:32")),
          row(
              CommandOpcode.CREATE_UMEM,
              CommandHeaders.input("create_umem_in", 384)
                  .with("uid@010:16")
                  .with("umem", 0x080, UMEM),
              output("create_umem_out", 128, "umem_id@048:24")),
          row(
              CommandOpcode.DESTROY_UMEM,
              input("destroy_umem_in", 128, "uid@010:16 umem_id@048:24"),
              STATUS_OUT));

  private static Map.Entry<Integer, CommandFormat> row(
      int opcode, Structure input, Structure output) {
    return Map.entry(opcode, new CommandFormat(input, output));
  }

  private static Structure input(String name, int bits, String fields) {
    return CommandHeaders.input(name, bits).with(fields);
  }

  private static Structure output(String name, int bits, String fields) {
    return CommandHeaders.output(name, bits).with(fields);
  }

  /**
   * The layout of the command with this opcode; empty for commands without a layout in Bluebell.
   */
  public static Optional<CommandFormat> of(int opcode) {
    return Optional.ofNullable(BY_OPCODE.get(opcode));
  }
}
