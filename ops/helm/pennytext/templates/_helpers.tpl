{{- /* Name of every object, cut so that -migrate fits into 63 characters. */ -}}
{{- define "pennytext.name" -}}
{{- if contains "pennytext" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-pennytext" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* Labels that select the pods of a component: pass (dict "root" $ "component" "server"). */ -}}
{{- define "pennytext.selector" -}}
app.kubernetes.io/name: pennytext
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "pennytext.labels" -}}
{{ include "pennytext.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "pennytext.image" -}}
{{- with .Values.image -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ with .digest }}@{{ . }}{{ end }}
{{- end -}}
{{- end -}}

{{- /* Settings that all pods share, at the level of their spec. The migration has no files. */ -}}
{{- define "pennytext.podSpec" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: tmp
    emptyDir:
      sizeLimit: 256Mi
{{- if and .root.Values.media.existingClaim (ne .component "migrate") }}
  - name: media
    persistentVolumeClaim:
      claimName: {{ .root.Values.media.existingClaim }}
{{- end }}
{{- with .root.Values.extraVolumes }}
{{ toYaml . | indent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
{{ toYaml . | indent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
{{ toYaml . | indent 2 }}
{{- end }}
{{- end -}}

{{- /* Pods of a component on different nodes and zones, where there are several. */ -}}
{{- define "pennytext.spread" -}}
topologySpreadConstraints:
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
{{ include "pennytext.selector" $ | indent 8 }}
{{- end }}
{{- end -}}

{{- /* Settings that all containers share: pass (dict "root" $ "component" COMPONENT "secret" NAME). */ -}}
{{- define "pennytext.container" -}}
image: {{ include "pennytext.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - secretRef:
      name: {{ .secret }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{- if and .root.Values.media.existingClaim (ne .component "migrate") }}
  - name: media
    mountPath: /media
{{- end }}
{{- with .root.Values.extraVolumeMounts }}
{{ toYaml . | indent 2 }}
{{- end }}
{{- end -}}

{{- define "pennytext.settings" -}}
{{- if .Values.media.existingClaim }}
- name: MEDIA_DIR
  value: /media
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- /* Probes of a component on its port, which is called http. */ -}}
{{- define "pennytext.probes" -}}
startupProbe:
  httpGet:
    path: /healthz
    port: http
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet:
    path: /healthz
    port: http
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet:
    path: /readyz
    port: http
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
{{- end -}}
