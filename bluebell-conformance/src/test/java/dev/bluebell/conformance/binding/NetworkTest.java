package dev.bluebell.conformance.binding;

import dev.bluebell.conformance.BenchExtension;
import dev.bluebell.conformance.ExpectsRefusal;
import dev.bluebell.conformance.TrafficTest;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.ExcludePackages;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The suite on a device whose packets take the network, as RoCEv2 over UDP. Left out are tests that
 * expect the words of a responder that refuses a request: a NAK has none. The traffic of a thousand
 * queue pairs is left to the lossy fabric.
 */
@Suite
@IncludeEngines("junit-jupiter")
@SelectPackages("dev.bluebell.conformance")
@ExcludePackages("dev.bluebell.conformance.binding")
@ExcludeTags({ExpectsRefusal.TAG, TrafficTest.TAG})
@ConfigurationParameter(key = BenchExtension.DEVICE, value = "network")
class NetworkTest {}
