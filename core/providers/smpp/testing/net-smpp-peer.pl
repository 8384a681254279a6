#!/usr/bin/perl
# A peer by another author: Net::SMPP (Debian's libnet-smpp-perl) as the server of one bind. It prints
# its port, then each PDU that it read as one line of JSON. A submitted text gets a decimal id, a
# receipt with that id in hexadecimal, and a reply with the same octets: a long one in segments by
# UDH, as it came.
use strict;
use warnings;
use JSON::PP;
use Net::SMPP;

$| = 1;
my $server = Net::SMPP->new_listen('127.0.0.1', port => 0, smpp_version => 0x34) or die "listen: $!";
print $server->sockport, "\n";
my $json = JSON::PP->new->latin1->canonical;
my %name = (
  Net::SMPP::CMD_bind_transceiver() => 'bind_transceiver',
  Net::SMPP::CMD_submit_sm() => 'submit_sm',
  Net::SMPP::CMD_enquire_link() => 'enquire_link',
  Net::SMPP::CMD_unbind() => 'unbind',
  Net::SMPP::CMD_deliver_sm_resp() => 'deliver_sm_resp',
);
my $id = 1000;

my $peer = $server->accept or die "accept: $!";
while (my $pdu = $peer->read_pdu) {
  my %seen = (command => $name{$pdu->{cmd}} // 'other', sequence => $pdu->{seq}, status => $pdu->{status});
  for my $field (qw(system_id password interface_version source_addr source_addr_ton destination_addr
      dest_addr_npi esm_class data_coding registered_delivery validity_period)) {
    $seen{$field} = $pdu->{$field} if defined $pdu->{$field};
  }
  $seen{hex} = unpack 'H*', $pdu->{short_message} if defined $pdu->{short_message};
  $seen{reference} = unpack 'n', $pdu->{user_message_reference} if defined $pdu->{user_message_reference};
  print $json->encode(\%seen), "\n";

  if ($seen{command} eq 'bind_transceiver') {
    $peer->bind_transceiver_resp(system_id => 'net-smpp', seq => $pdu->{seq});
  } elsif ($seen{command} eq 'enquire_link') {
    $peer->enquire_link_resp(seq => $pdu->{seq});
  } elsif ($seen{command} eq 'unbind') {
    $peer->unbind_resp(seq => $pdu->{seq});
    last;
  } elsif ($seen{command} eq 'submit_sm') {
    $id += 1;
    $peer->submit_sm_resp(message_id => $id, seq => $pdu->{seq});
    my %phone = (source_addr => $pdu->{destination_addr}, destination_addr => $pdu->{source_addr});
    my $state = sprintf 'id:%08X sub:001 dlvrd:001 submit date:2611261200 '
      . 'done date:2611261201 stat:DELIVRD err:000 text:', $id;
    $peer->deliver_sm(%phone, esm_class => 4, short_message => $state, async => 1);
    $peer->deliver_sm(%phone, esm_class => $pdu->{esm_class}, data_coding => $pdu->{data_coding},
      short_message => $pdu->{short_message}, async => 1);
  }
}
