# A ConnectX-6 Dx. A line is structure.field, what the card says, the source, and the link layer if only one.
# Sources:
#   cx6dx       two ibv_devinfo -v of MT_0000000359, firmware 22.36.1010, in public notes, which agree
#   ompi-6137   the dump of a ConnectX-5; see its profile
#   dpdk        doc/guides/nics/mlx5.rst of DPDK
#   inferred    no public dump or document says so
part 0x101d
firmware 22.0.0000
board BLUEBELL_CX6DX
cmd_hca_cap.log_max_qp 17 cx6dx
cmd_hca_cap.log_max_qp_sz 15 cx6dx
cmd_hca_cap.log_max_cq 24 cx6dx
cmd_hca_cap.log_max_cq_sz 22 cx6dx
cmd_hca_cap.log_max_mkey 24 cx6dx
cmd_hca_cap.log_max_pd 23 cx6dx
cmd_hca_cap.log_max_ra_req_qp 4 cx6dx
cmd_hca_cap.log_max_ra_res_qp 4 cx6dx
cmd_hca_cap.log_max_mcg 21 cx6dx
cmd_hca_cap.max_qp_mcg 240 cx6dx
cmd_hca_cap.log_max_srq_sz 15 cx6dx
cmd_hca_cap.xrc 1 cx6dx
cmd_hca_cap.cd 1 cx6dx
cmd_hca_cap.imaicl 1 cx6dx
cmd_hca_cap.block_lb_mc 1 cx6dx
cmd_hca_cap.atomic 1 cx6dx
atomic_caps.atomic_operations 0xf ompi-6137
atomic_caps.atomic_size_qp 0x3c ompi-6137
atomic_caps.atomic_size_dc 0x3c inferred
odp_cap.rc_odp_caps.atomic 0 cx6dx
odp_cap.xrc_odp_caps.atomic 0 cx6dx
odp_cap.dc_odp_caps.atomic 0 inferred
odp_cap.xrc_odp_caps.receive 0 cx6dx
odp_cap.ud_odp_caps.srq_receive 0 cx6dx
device_mem_cap.max_memic_size 131072 cx6dx
cmd_hca_cap.tag_matching 0 cx6dx
cmd_hca_cap.rndv_offload_rc 0 cx6dx
cmd_hca_cap.log_tag_matching_list_sz 0 cx6dx
cmd_hca_cap.log_max_xrq 0 cx6dx
cmd_hca_cap.log_max_dci_stream_channels 0 inferred
cmd_hca_cap.log_max_dci_errored_streams 0 inferred
cmd_hca_cap.enhanced_cqe_compression 0 inferred
cmd_hca_cap.dma_mmo_qp 0 inferred
cmd_hca_cap.log_dma_mmo_max_size 0 inferred
cmd_hca_cap.wait_on_data 0 inferred
cmd_hca_cap.wait_on_time 0 dpdk
cmd_hca_cap.dp_ordering_ooo_all_rc 0 inferred
cmd_hca_cap.dp_ordering_ooo_all_xrc 0 inferred
cmd_hca_cap.dp_ordering_ooo_all_dc 0 inferred
cmd_hca_cap_2.dp_ordering_force 0 inferred
